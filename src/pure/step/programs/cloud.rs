//! Clouds, hosting and what is kept there: aws, gcloud, az, object storage, backups.

use super::table::{ProgramTable, destroys, disrupts, exposes, programs};

const READS: &str = "list ls show get get-* describe describe-* status inspect info logs log read search view \
    history tail whoami version export print";

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("aws awslocal")
        .valued(
            "--profile --region --output --endpoint-url --query --color --ca-bundle \
                 --cli-read-timeout --cli-connect-timeout --cli-binary-format",
        )
        .rows(&[
            destroys("s3 rm|rb", "deletes objects or buckets"),
            destroys("s3 sync", "deletes at the destination what the source does not have").needs("--delete"),
            exposes("s3 cp|sync|mv", "let everybody read the objects").needs("--acl=public-*"),
            exposes(
                "s3api put-bucket-acl|put-object-acl|create-bucket|put-object",
                "let everybody read the objects",
            )
            .needs("--acl=public-*"),
            exposes("s3api put-bucket-policy|delete-public-access-block", "change who may read a bucket"),
            disrupts("s3api put-bucket-versioning", "stop keeping earlier versions").needs("*Suspended*"),
            disrupts(
                "ec2|rds modify-instance-attribute|modify-db-instance|modify-db-cluster",
                "take away the protection against deletion",
            )
            .needs("--no-disable-api-termination --no-deletion-protection"),
            destroys("s3api put-bucket-lifecycle-configuration", "changes when objects are deleted"),
            destroys(
                "? delete-*|batch-delete-*|admin-delete-*|terminate-*|purge-*|deregister-*|release-*|\
                 schedule-key-deletion|close-account|leave-organization|reset-*",
                "deletes that for good",
            ),
            disrupts(
                "ec2|rds|ecs|lightsail|neptune|docdb|redshift|workspaces stop-instances|stop-instance|\
                 stop-db-*|stop-task|reboot-*|pause-cluster|stop-workspaces",
                "stop what is running there",
            ),
            disrupts(
                "? stop-logging|stop-configuration-recorder|disable-*",
                "switch off what watches or protects",
            ),
            disrupts("ecs update-service", "stop every task of a service").needs("--desired-count=0"),
            disrupts(
                "autoscaling update-auto-scaling-group|set-desired-capacity",
                "stop every machine of a group",
            )
            .needs("--desired-capacity=0 --max-size=0"),
            disrupts("route53 change-resource-record-sets", "change where names lead"),
            disrupts("ssm send-command", "run a command on other machines"),
            exposes(
                "iam create-access-key|attach-*|put-*-policy|create-login-profile|update-login-profile|\
                 update-assume-role-policy|add-user-to-group|create-user",
                "give an account rights or a key",
            ),
            exposes("ec2 authorize-security-group-ingress", "open a port to everybody")
                .needs("--cidr=0.0.0.0/0 --cidr=::/0"),
        ]),
    programs("gcloud")
        .valued(
            "--project --account --configuration --region --zone --format --verbosity \
                 --billing-project --impersonate-service-account --flags-file --filter --flatten \
                 --access-token-file --location",
        )
        .reads(
            "list list-* describe describe-* get get-* read config components auth info topic help \
                 search test-iam-permissions lookup print-* tail feedback cheat-sheet version",
        )
        .rows(&[
            destroys("* storage rm", "deletes objects or buckets"),
            destroys("storage rsync", "deletes at the destination what the source does not have")
                .needs("--delete-unmatched-destination-objects"),
            destroys("* delete|bulk-delete|purge|destroy|delete-*|truncate", "deletes that for good"),
            disrupts(
                "* stop|reset|suspend|disable|drain|abandon-instances|remove-iam-policy-binding",
                "stop what is running or allowed there",
            ),
            exposes("* add-iam-policy-binding|set-iam-policy|add-access-config", "give an account rights"),
            exposes("iam service-accounts keys create", "make a new key for a service account"),
        ]),
    programs("az")
        .valued("-o --output --query --subscription -g --resource-group -n --name")
        .reads(
            "list list-* show show-* get get-* cache extension config-defaults check-* exists \
                 export download query search find version feedback whatif what-if validate",
        )
        .rows(&[
            destroys("deployment ? create", "deletes every resource that the template does not name")
                .needs("--mode=Complete --mode=complete"),
            destroys("rest", "sends a deletion to the cloud's interface")
                .needs("--method=delete --method=DELETE -m=delete -m=DELETE"),
            destroys("* delete|delete-batch|purge|destroy|delete-*", "deletes that for good"),
            disrupts(
                "* stop|deallocate|redeploy|reimage|restart-hard|disable|failover",
                "stop what is running there",
            ),
            exposes("role assignment create", "give an account rights"),
            exposes("ad sp|app create-for-rbac|credential", "make a key for an account")
                .needs("create-for-rbac reset"),
        ]),
    programs(
        "doctl hcloud linode-cli vultr-cli scw oci exo civo openstack ovhcloud aliyun tccli \
                 upctl packet metal kamatera yc",
    )
    .valued(
        "-t --access-token -c --config --context -o --output -u --api-url --profile --region \
                 --os-cloud --compartment-id -f --format",
    )
    .reads(READS)
    .rows(&[
        destroys(
            "* delete|delete-*|rm|remove|destroy|terminate|bulk-delete|purge|rebuild|d|del",
            "deletes that for good",
        ),
        disrupts(
            "* poweroff|power-off|shutdown|reset|halt|stop|power-cycle|disable-*",
            "stop what is running there",
        ),
    ]),
    programs("cloudflared")
        .valued("--config --origincert")
        .rows(&[destroys("tunnel delete|cleanup", "deletes the tunnel")]),
    programs("ibmcloud cf").reads(READS).rows(&[
        destroys("* delete|*-delete|*-rm|rm|d|delete-*|purge-*|*-remove", "deletes that for good"),
        disrupts("stop|*-stop", "stop what is running there"),
    ]),
    programs("fly flyctl")
        .valued("-a --app -c --config -t --access-token -o --org -r --region")
        .reads(READS)
        .rows(&[
            destroys("* destroy|delete|rm|remove|unset", "deletes that for good"),
            disrupts("* suspend|stop|kill", "stop what is running there"),
            disrupts("scale count 0", "stop every machine"),
        ]),
    programs("heroku").valued("-a --app -r --remote").rows(&[
        destroys(
            "*:destroy|destroy|pg:reset|pg:copy|pg:push|pg:restore|pg:backups:restore|*:delete|\
                 *:remove|*:clear|*:unset|*:detach",
            "deletes or overwrites that for good",
        ),
        disrupts("ps:stop|maintenance:on|ps:kill", "stop the application"),
        disrupts("ps:scale", "stop the application").needs("*=0"),
    ]),
    programs("vercel vc now railway render surge deta northflank koyeb clever")
        .valued("-t --token -S --scope --cwd -A --local-config --project --service --environment -e")
        .reads(READS)
        .rows(&[destroys("* rm|remove|del|delete|down|teardown|destroy", "deletes that for good")]),
    programs("netlify ntl firebase").valued("--auth --site -s --filter -P --project --token --account").rows(
        &[
            destroys("*:delete|*:remove|*:unset|*:destroy|*:disable", "deletes that for good"),
            destroys("api", "deletes that for good").needs("delete*"),
        ],
    ),
    programs("wrangler").valued("-c --config -e --env --cwd --name").reads(READS).rows(&[destroys(
        "* delete|purge|unsubscribe",
        "deletes that for good",
    )
    .unless("--local")]),
    programs("supabase").valued("--workdir --profile -o --output --network-id").reads(READS).rows(&[
        destroys("db reset", "drops and rebuilds the database").needs("--linked --db-url --project-ref"),
        destroys("stop", "deletes the local database").needs("--no-backup"),
        destroys("* delete|unset|rm|remove", "deletes that for good"),
    ]),
    programs("turso pscale neonctl neon xata convex appwrite nhost upstash")
        .valued("--org --project-id --api-key -o --output")
        .reads(READS)
        .rows(&[destroys("* destroy|delete|reset|rm|restore", "deletes or overwrites that for good")]),
    programs("auth0 stripe okta sentry-cli algolia contentful sanity shopify twilio")
        .valued("--tenant --api-key --project-name --stripe-account -o --org -p --project")
        .reads(READS)
        .rows(&[destroys(
            "* delete|rm|remove|clear|*:remove|*:delete|purge",
            "deletes that from the service for good",
        )]),
    programs("rclone")
        .valued("--config --log-level --transfers --checkers --filter --include --exclude --bwlimit")
        .rows(&[
            destroys("delete|purge|deletefile|rmdirs|cleanup|dedupe", "deletes files on the remote")
                .unless("-n -i --interactive"),
            destroys("sync|bisync", "deletes at the destination what the source does not have")
                .unless("-n -i --interactive --backup-dir"),
        ]),
    programs("s3cmd s5cmd mc b2 azcopy ossutil coscli ossutil64")
        .valued("-c --config --endpoint-url --profile --access_key --secret_key --region")
        .rows(&[
            destroys("del|rm|rb|remove|delete-*|delete", "deletes objects or buckets"),
            destroys("sync|mirror", "deletes at the destination what the source does not have")
                .needs("--delete-removed --delete --remove --delete-destination"),
            destroys("bucket|file|key rm|delete|remove", "deletes objects or buckets"),
            exposes("setacl|put|sync|anonymous|policy", "let everybody read the objects")
                .needs("-P --acl-public public download upload"),
        ]),
    programs("gsutil").valued("-o -u -i -h ").rows(&[
        destroys("rm|rb", "deletes objects or buckets"),
        destroys("rsync", "deletes at the destination what the source does not have")
            .needs("-d")
            .unless("-n"),
        exposes("iam|acl|defacl ch|set", "let everybody read the objects")
            .needs("allUsers* AllUsers* public-*"),
    ]),
    programs("restic borg borgmatic kopia duplicity tarsnap rustic")
        .valued("-r --repo --repository-file -p --password-file --config -c")
        .reads(READS)
        .rows(&[
            destroys("forget|prune|delete|rdelete|repo-delete|purge|remove-*|cleanup", "deletes backups")
                .unless("-n"),
            destroys("snapshot|policy delete", "deletes backups"),
        ]),
];
