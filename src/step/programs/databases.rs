//! Databases: what frameworks and administrators' programs do to them.

use super::table::{Tool, destroys, disrupts, publishes};

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["dropdb", "pg_dropcluster", "dropuser"],
        valued: "-h --host -p --port -U --username -O --maintenance-db",
        reads: "",
        rows: &[destroys("?", "drops a whole database", "dropdb -h db prod", "dropdb --version")
            .unless("--version -V *_test test_* *-test")],
    },
    Tool {
        names: &["mysqladmin", "mariadb-admin"],
        valued: "-h --host -P --port -u --user -S --socket ",
        reads: "",
        rows: &[
            destroys(
                "* drop",
                "drops a whole database",
                "mysqladmin -u root drop prod",
                "mysqladmin -u root status",
            ),
            disrupts(
                "* shutdown|kill",
                "stop the database",
                "mysqladmin -u root shutdown",
                "mysqladmin -u root processlist",
            ),
        ],
    },
    Tool {
        names: &["pg_restore"],
        valued: "-h --host",
        reads: "",
        rows: &[destroys(
            "",
            "drops what is there before it restores",
            "pg_restore -h db --clean -d prod x.dump",
            "pg_restore --list x.dump",
        )
        .needs("-c --clean")
        .unless("-l --list -f --file")],
    },
    Tool {
        names: &["mongorestore", "mongoimport"],
        valued: "-h --host",
        reads: "",
        rows: &[destroys(
            "",
            "drops what is there before it restores",
            "mongorestore --drop dump/",
            "mongorestore dump/",
        )
        .needs("--drop")],
    },
    Tool {
        names: &["etcdctl"],
        valued: "--endpoints --cacert --cert --key --user --password",
        reads: "",
        rows: &[
            destroys("del", "deletes many keys", "etcdctl del / --prefix", "etcdctl del /one/key")
                .needs("--prefix --from-key"),
            destroys("rm", "deletes many keys", "etcdctl rm /app --recursive", "etcdctl ls /app")
                .needs("--recursive -r"),
            destroys(
                "snapshot|member restore|remove",
                "overwrites or takes apart the cluster",
                "etcdctl member remove 1a",
                "etcdctl member list",
            ),
        ],
    },
    Tool {
        names: &["influx", "influxd", "nats", "rabbitmqadmin", "kafkactl", "rpk", "pulsar-admin"],
        valued: "-s --server --host -t --token -o --org -u --username -p --password -V --vhost -H ",
        reads: "list ls info show get view describe status",
        rows: &[destroys(
            "* delete|rm|del|purge|restore",
            "deletes stored data",
            "influx bucket delete -n metrics",
            "influx bucket list",
        )],
    },
    Tool {
        names: &["rabbitmqctl"],
        valued: "-n --node -p --vhost",
        reads: "",
        rows: &[
            destroys(
                "delete_queue|delete_vhost|purge_queue|reset|force_reset|delete_user",
                "deletes queues with their messages",
                "rabbitmqctl purge_queue jobs",
                "rabbitmqctl list_queues",
            ),
            disrupts(
                "stop|stop_app|shutdown", "stop the broker", "rabbitmqctl stop_app", "rabbitmqctl status",
            ),
        ],
    },
    Tool {
        names: &[
            "kafka-topics",
            "kafka-topics.sh",
            "kafka-consumer-groups",
            "kafka-consumer-groups.sh",
            "kafka-delete-records.sh",
        ],
        valued: "",
        reads: "",
        rows: &[destroys(
            "",
            "deletes stored messages or offsets",
            "kafka-topics.sh --delete --topic orders",
            "kafka-topics.sh --list",
        )
        .needs("--delete --delete-offsets --offset-json-file")],
    },
    Tool {
        names: &["bq"],
        valued: "--project_id --dataset_id --location --format",
        reads: "",
        rows: &[destroys("rm", "deletes tables or datasets", "bq rm -r -f data", "bq ls data")],
    },
    Tool {
        names: &["rails", "rake"],
        valued: "-f --rakefile",
        reads: "",
        rows: &[
            destroys(
                "* db:drop|db:drop:*|db:reset|db:purge|db:purge:*|db:schema:load|db:structure:load|db:migrate:reset|\
                 db:truncate_all|db:seed:replant",
                "drops the database or its tables",
                "bin/rails db:drop",
                "bin/rails db:migrate",
            ),
            publishes("* release", "this gem", "bundle exec rake release", "rake -T release")
                .unless("-T --tasks -P -D -n"),
        ],
    },
    Tool {
        names: &["mix"],
        valued: "",
        reads: "",
        rows: &[
            destroys("ecto.drop|ecto.reset", "drops the database", "mix ecto.drop", "mix ecto.migrate"),
            publishes("hex.publish", "this package", "mix hex.publish", "mix hex.info"),
        ],
    },
    Tool {
        names: &["prisma"],
        valued: "--schema",
        reads: "",
        rows: &[
            destroys(
                "migrate reset",
                "drops the database and builds it anew",
                "npx prisma migrate reset --force",
                "npx prisma migrate dev",
            ),
            destroys(
                "db push",
                "drops what the new schema has no room for",
                "npx prisma db push --force-reset",
                "npx prisma db push",
            )
            .needs("--force-reset --accept-data-loss"),
        ],
    },
    Tool {
        names: &["manage.py", "django-admin", "django"],
        valued: "--settings --database",
        reads: "",
        rows: &[
            destroys(
                "flush|reset_db|clean_db|drop_test_database",
                "empties the database",
                "python manage.py flush --no-input",
                "python manage.py sqlflush",
            ),
            destroys(
                "migrate ? zero",
                "drops the application's tables",
                "./manage.py migrate shop zero",
                "./manage.py migrate shop 0003",
            ),
        ],
    },
    Tool {
        names: &["alembic", "flask"],
        valued: "-c --config -n --name -x --app -A -d --directory",
        reads: "",
        rows: &[
            destroys("downgrade base", "drops every table", "alembic downgrade base", "alembic downgrade -1"),
            destroys("db downgrade base", "drops every table", "flask db downgrade base", "flask db upgrade"),
        ],
    },
    Tool {
        names: &["artisan", "console", "doctrine"],
        valued: "--env --database -e",
        reads: "",
        rows: &[destroys(
            "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|doctrine:database:drop|doctrine:schema:drop|\
             orm:schema-tool:drop",
            "drops the database or its tables",
            "php artisan migrate:fresh --seed",
            "php artisan migrate",
        )
        .unless("--env=testing --env=test -e=test --dump-sql")],
    },
    Tool {
        names: &[
            "sequelize",
            "sequelize-cli",
            "knex",
            "typeorm",
            "typeorm-ts-node-commonjs",
            "typeorm-ts-node-esm",
            "mikro-orm",
        ],
        valued: "--env --config -d --dataSource --knexfile --url",
        reads: "",
        rows: &[
            destroys(
                "db:drop|db:migrate:undo:all|schema:drop|schema:fresh|migration:fresh",
                "drops the database or its tables",
                "npx sequelize db:drop",
                "npx sequelize db:migrate",
            ),
            destroys(
                "migrate:rollback",
                "drops every table",
                "knex migrate:rollback --all",
                "knex migrate:latest",
            )
            .needs("--all"),
        ],
    },
    Tool {
        names: &["flyway", "liquibase", "dbmate", "goose", "migrate", "atlas"],
        valued: "-path -database -source -url --url -u -d -e --env -dir -table --dir --changelog-file -verbose",
        reads: "",
        rows: &[destroys(
            "* clean|drop|dropAll|drop-all|reset|rollback-to-zero",
            "drops everything in the database",
            "flyway -url=jdbc:x clean",
            "flyway -url=jdbc:x info",
        )
        .unless("-n")],
    },
    Tool {
        names: &["drizzle-kit"],
        valued: "--config",
        reads: "",
        rows: &[destroys(
            "push",
            "drops what the new schema has no room for",
            "npx drizzle-kit push --force",
            "npx drizzle-kit push",
        )
        .needs("--force")],
    },
    Tool {
        names: &["pg_resetwal", "pg_resetxlog"],
        valued: "",
        reads: "",
        rows: &[destroys(
            "*",
            "throws away what the database has not written yet",
            "pg_resetwal -f data",
            "pg_resetwal -n data",
        )
        .unless("-n --dry-run --version")],
    },
    Tool {
        names: &["pg_ctl", "pg_ctlcluster"],
        valued: "-D --pgdata -m --mode -t --timeout",
        reads: "",
        rows: &[disrupts(
            "* stop|kill",
            "stop the database",
            "pg_ctl stop -m immediate",
            "pg_ctl stop -D /tmp/db",
        )
        .unless("-D=/tmp/* --pgdata=/tmp/*")],
    },
    Tool {
        names: &["diesel", "sqlx", "sea-orm-cli"],
        valued: "--database-url -u --migration-dir -D",
        reads: "",
        rows: &[destroys(
            "database|migrate drop|reset|fresh|refresh",
            "drops the database",
            "sqlx database drop -y",
            "sqlx migrate run",
        )],
    },
];

/// Whether the program is about databases only.
pub fn serves(program: &str) -> bool {
    TOOLS.iter().any(|tool| tool.names.contains(&program))
}
