//! Databases: what frameworks and administrators' programs do to them.

use super::table::{ProgramTable, destroys, disrupts, programs, publishes};
use crate::pure::shell::lists;

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("dropdb pg_dropcluster dropuser")
        .valued("-h --host -p --port -U --username -O --maintenance-db")
        .rows(&[
            destroys("?", "drops a whole database").unless("--version -V *_test test_* *-test test tests")
        ]),
    programs("mysqladmin mariadb-admin").valued("-h --host -P --port -u --user -S --socket ").rows(&[
        destroys("* drop", "drops a whole database"),
        disrupts("* shutdown|kill", "stop the database"),
    ]),
    programs("pg_restore").valued("-h --host").rows(&[destroys(
        "",
        "drops what is there before it restores",
    )
    .needs("-c --clean")
    .unless("-l --list -f --file")]),
    programs("mongorestore mongoimport").valued("-h --host").rows(&[destroys(
        "",
        "drops what is there before it restores",
    )
    .needs("--drop")]),
    programs("etcdctl").valued("--endpoints --cacert --cert --key --user --password").rows(&[
        destroys("del", "deletes many keys").needs("--prefix --from-key"),
        destroys("rm", "deletes many keys").needs("--recursive -r"),
        destroys("snapshot|member restore|remove", "overwrites or takes apart the cluster"),
    ]),
    programs("influx influxd nats rabbitmqadmin kafkactl rpk pulsar-admin")
        .valued("-s --server --host -t --token -o --org -u --username -p --password -V --vhost -H ")
        .reads("list ls info show get view describe status")
        .rows(&[destroys("* delete|rm|del|purge|restore", "deletes stored data")]),
    programs("rabbitmqctl").valued("-n --node -p --vhost").rows(&[
        destroys(
            "delete_queue|delete_vhost|purge_queue|reset|force_reset|delete_user",
            "deletes queues with their messages",
        ),
        disrupts("stop|stop_app|shutdown", "stop the broker"),
    ]),
    programs(
        "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh \
                 kafka-delete-records.sh",
    )
    .rows(&[destroys("", "deletes stored messages or offsets")
        .needs("--delete --delete-offsets --offset-json-file")]),
    programs("bq")
        .valued("--project_id --dataset_id --location --format")
        .rows(&[destroys("rm", "deletes tables or datasets")]),
    programs("rails rake").valued("-f --rakefile").rows(&[
        destroys(
            "* db:drop|db:drop:*|db:reset|db:purge|db:purge:*|db:schema:load|db:structure:load|\
                 db:migrate:reset|db:truncate_all|db:seed:replant",
            "drops the database or its tables",
        ),
        publishes("* release", "this gem").unless("-T --tasks -P -D -n"),
    ]),
    programs("mix").rows(&[
        destroys("ecto.drop|ecto.reset", "drops the database"),
        publishes("hex.publish", "this package"),
    ]),
    programs("prisma").valued("--schema").rows(&[
        destroys("migrate reset", "drops and rebuilds the database"),
        destroys("db push", "drops what the new schema has no room for")
            .needs("--force-reset --accept-data-loss"),
    ]),
    programs("manage.py django-admin django").valued("--settings --database").rows(&[
        destroys("flush|reset_db|clean_db|drop_test_database", "empties the database"),
        destroys("migrate ? zero", "drops the application's tables"),
    ]),
    programs("alembic flask").valued("-c --config -n --name -x --app -A -d --directory").rows(&[
        destroys("downgrade base", "drops every table"),
        destroys("db downgrade base", "drops every table"),
    ]),
    programs("artisan console doctrine").valued("--env --database -e").rows(&[destroys(
        "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|doctrine:database:drop|\
                 doctrine:schema:drop|orm:schema-tool:drop",
        "drops the database or its tables",
    )
    .unless("--env=testing --env=test -e=test --dump-sql")]),
    programs(
        "sequelize sequelize-cli knex typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm \
                 mikro-orm",
    )
    .valued("--env --config -d --dataSource --knexfile --url")
    .rows(&[
        destroys(
            "db:drop|db:migrate:undo:all|schema:drop|schema:fresh|migration:fresh",
            "drops the database or its tables",
        ),
        destroys("migrate:rollback", "drops every table").needs("--all"),
    ]),
    programs("flyway liquibase dbmate goose migrate atlas")
        .valued(
            "-path -database -source -url --url -u -d -e --env -dir -table --dir --changelog-file \
                 -verbose",
        )
        .rows(&[destroys(
            "* clean|drop|dropAll|drop-all|reset|rollback-to-zero",
            "drops everything in the database",
        )
        .unless("-n")]),
    programs("drizzle-kit").valued("--config").rows(&[destroys(
        "push",
        "drops what the new schema has no room for",
    )
    .needs("--force")]),
    programs("pg_resetwal pg_resetxlog").rows(&[destroys(
        "*",
        "throws away what the database has not written yet",
    )
    .unless("-n --dry-run --version")]),
    programs("pg_ctl pg_ctlcluster")
        .valued("-D --pgdata -m --mode -t --timeout")
        .rows(&[disrupts("* stop|kill", "stop the database").unless("-D=/tmp/* --pgdata=/tmp/*")]),
    programs("diesel sqlx sea-orm-cli")
        .valued("--database-url -u --migration-dir -D")
        .rows(&[destroys("database|migrate drop|reset|fresh|refresh", "drops the database")]),
];

/// Whether the program is about databases only.
pub(crate) fn serves(program: &str) -> bool {
    TOOLS.iter().any(|tool| lists(tool.names, program))
}
