//! Clouds, hosting and what is kept there: aws, gcloud, az, object storage, backups.

use super::table::{Tool, destroys, disrupts, exposes};

const READS: &str = "list ls show get get-* describe describe-* status inspect info logs log read search view \
    history tail whoami version export print";

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["aws", "awslocal"],
        valued: "--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout \
            --cli-connect-timeout --cli-binary-format",
        reads: "",
        rows: &[
            destroys(
                "s3 rm|rb",
                "deletes objects or buckets",
                "aws --profile p s3 rm s3://b/k --recursive",
                "aws s3 rm s3://b/k --dryrun",
            ),
            destroys(
                "s3 sync",
                "deletes at the destination what the source does not have",
                "aws s3 sync . s3://b --delete",
                "aws s3 sync . s3://b",
            )
            .needs("--delete"),
            exposes(
                "s3 cp|sync|mv",
                "let everybody read the objects",
                "aws s3 cp x s3://b --acl public-read",
                "aws s3 cp x s3://b --acl private",
            )
            .needs("--acl=public-*"),
            exposes(
                "s3api put-bucket-acl|put-object-acl|create-bucket|put-object",
                "let everybody read the objects",
                "aws s3api put-bucket-acl --bucket b --acl public-read",
                "aws s3api put-bucket-acl --bucket b --acl private",
            )
            .needs("--acl=public-*"),
            exposes(
                "s3api put-bucket-policy|delete-public-access-block",
                "change who may read a bucket",
                "aws s3api put-bucket-policy --bucket b --policy file://p.json",
                "aws s3api get-bucket-policy --bucket b",
            ),
            disrupts(
                "s3api put-bucket-versioning",
                "stop keeping earlier versions",
                "aws s3api put-bucket-versioning --bucket b --versioning-configuration Status=Suspended",
                "aws s3api put-bucket-versioning --bucket b --versioning-configuration Status=Enabled",
            )
            .needs("*Suspended*"),
            disrupts(
                "ec2|rds modify-instance-attribute|modify-db-instance|modify-db-cluster",
                "take away the protection against deletion",
                "aws ec2 modify-instance-attribute --instance-id i --no-disable-api-termination",
                "aws ec2 modify-instance-attribute --instance-id i --instance-type t3.small",
            )
            .needs("--no-disable-api-termination --no-deletion-protection"),
            destroys(
                "s3api put-bucket-lifecycle-configuration",
                "changes when objects are deleted",
                "aws s3api put-bucket-lifecycle-configuration --bucket b",
                "aws s3api get-bucket-lifecycle-configuration --bucket b",
            ),
            destroys(
                "? delete-*|batch-delete-*|admin-delete-*|terminate-*|purge-*|deregister-*|release-*|\
                 schedule-key-deletion|close-account|leave-organization|reset-*",
                "deletes that for good",
                "aws ec2 terminate-instances --instance-ids i-1",
                "aws ec2 describe-instances",
            ),
            disrupts(
                "ec2|rds|ecs|lightsail|neptune|docdb|redshift|workspaces \
                 stop-instances|stop-instance|stop-db-*|stop-task|reboot-*|pause-cluster|stop-workspaces",
                "stop what is running there",
                "aws ec2 stop-instances --instance-ids i-1",
                "aws ec2 start-instances --instance-ids i-1",
            ),
            disrupts(
                "? stop-logging|stop-configuration-recorder|disable-*",
                "switch off what watches or protects",
                "aws cloudtrail stop-logging --name t",
                "aws cloudtrail get-trail-status --name t",
            ),
            disrupts(
                "ecs update-service",
                "stop every task of a service",
                "aws ecs update-service --service s --desired-count 0",
                "aws ecs update-service --service s --desired-count 2",
            )
            .needs("--desired-count=0"),
            disrupts(
                "autoscaling update-auto-scaling-group|set-desired-capacity",
                "stop every machine of a group",
                "aws autoscaling set-desired-capacity --auto-scaling-group-name g --desired-capacity 0",
                "aws autoscaling set-desired-capacity --auto-scaling-group-name g --desired-capacity 2",
            )
            .needs("--desired-capacity=0 --max-size=0"),
            disrupts(
                "route53 change-resource-record-sets",
                "change where names lead",
                "aws route53 change-resource-record-sets --hosted-zone-id Z",
                "aws route53 list-hosted-zones",
            ),
            disrupts(
                "ssm send-command",
                "run a command on other machines",
                "aws ssm send-command --document-name AWS-RunShellScript",
                "aws ssm list-commands",
            ),
            exposes(
                "iam create-access-key|attach-*|put-*-policy|create-login-profile|update-login-profile|\
                 update-assume-role-policy|add-user-to-group|create-user",
                "give an account rights or a key",
                "aws iam attach-user-policy --user-name x --policy-arn y",
                "aws iam list-attached-user-policies --user-name x",
            ),
            exposes(
                "ec2 authorize-security-group-ingress",
                "open a port to everybody",
                "aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 0.0.0.0/0",
                "aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 10.0.0.0/8",
            )
            .needs("--cidr=0.0.0.0/0 --cidr=::/0"),
        ],
    },
    Tool {
        names: &["gcloud"],
        valued: "--project --account --configuration --region --zone --format --verbosity --billing-project \
            --impersonate-service-account --flags-file --filter --flatten --access-token-file --location",
        reads: "list list-* describe describe-* get get-* read config components auth info topic help search \
            test-iam-permissions lookup print-* tail feedback cheat-sheet version",
        rows: &[
            destroys(
                "* storage rm",
                "deletes objects or buckets",
                "gcloud --project p storage rm -r gs://b",
                "gcloud storage ls gs://b",
            ),
            destroys(
                "storage rsync",
                "deletes at the destination what the source does not have",
                "gcloud storage rsync . gs://b --delete-unmatched-destination-objects",
                "gcloud storage rsync . gs://b",
            )
            .needs("--delete-unmatched-destination-objects"),
            destroys(
                "* delete|bulk-delete|purge|destroy|delete-*|truncate",
                "deletes that for good",
                "gcloud compute instances delete vm --zone z --quiet",
                "gcloud compute instances describe vm",
            ),
            disrupts(
                "* stop|reset|suspend|disable|drain|abandon-instances|remove-iam-policy-binding",
                "stop what is running or allowed there",
                "gcloud compute instances stop vm",
                "gcloud compute instances start vm",
            ),
            exposes(
                "* add-iam-policy-binding|set-iam-policy|add-access-config",
                "give an account rights",
                "gcloud projects add-iam-policy-binding p --member=user:x --role=roles/owner",
                "gcloud projects get-iam-policy p",
            ),
            exposes(
                "iam service-accounts keys create",
                "make a new key for a service account",
                "gcloud iam service-accounts keys create k.json --iam-account=x",
                "gcloud iam service-accounts keys list --iam-account=x",
            ),
        ],
    },
    Tool {
        names: &["az"],
        valued: "-o --output --query --subscription -g --resource-group -n --name",
        reads: "list list-* show show-* get get-* cache extension config-defaults check-* exists export download \
            query search find version feedback whatif what-if validate",
        rows: &[
            destroys(
                "deployment ? create",
                "deletes every resource that the template does not name",
                "az deployment group create --mode Complete -g rg",
                "az deployment group create -g rg",
            )
            .needs("--mode=Complete --mode=complete"),
            destroys(
                "rest",
                "sends a deletion to the cloud's interface",
                "az rest --method delete --url x",
                "az rest --method get --url x",
            )
            .needs("--method=delete --method=DELETE -m=delete -m=DELETE"),
            destroys(
                "* delete|delete-batch|purge|destroy|delete-*",
                "deletes that for good",
                "az group delete --name rg --yes",
                "az group show --name rg",
            ),
            disrupts(
                "* stop|deallocate|redeploy|reimage|restart-hard|disable|failover",
                "stop what is running there",
                "az vm deallocate -g rg -n vm",
                "az vm start -g rg -n vm",
            ),
            exposes(
                "role assignment create",
                "give an account rights",
                "az role assignment create --assignee x --role Owner",
                "az role assignment list",
            ),
            exposes(
                "ad sp|app create-for-rbac|credential",
                "make a key for an account",
                "az ad sp create-for-rbac -n x",
                "az ad sp list",
            )
            .needs("create-for-rbac reset"),
        ],
    },
    Tool {
        names: &[
            "doctl", "hcloud", "linode-cli", "vultr-cli", "scw", "oci", "exo", "civo", "openstack",
            "ovhcloud", "aliyun", "tccli", "upctl", "packet", "metal", "kamatera", "yc",
        ],
        valued: "-t --access-token -c --config --context -o --output -u --api-url --profile --region --os-cloud \
            --compartment-id -f --format",
        reads: READS,
        rows: &[
            destroys(
                "* delete|delete-*|rm|remove|destroy|terminate|bulk-delete|purge|rebuild|d|del",
                "deletes that for good",
                "doctl compute droplet delete db --force",
                "doctl compute droplet list",
            ),
            disrupts(
                "* poweroff|power-off|shutdown|reset|halt|stop|power-cycle|disable-*",
                "stop what is running there",
                "hcloud server poweroff db",
                "hcloud server describe db",
            ),
        ],
    },
    Tool {
        names: &["cloudflared"],
        valued: "--config --origincert",
        reads: "",
        rows: &[destroys(
            "tunnel delete|cleanup",
            "deletes the tunnel",
            "cloudflared tunnel delete web",
            "cloudflared tunnel list",
        )],
    },
    Tool {
        names: &["ibmcloud", "cf"],
        valued: "",
        reads: READS,
        rows: &[
            destroys(
                "* delete|*-delete|*-rm|rm|d|delete-*|purge-*|*-remove",
                "deletes that for good",
                "ibmcloud resource service-instance-delete db",
                "ibmcloud resource service-instances",
            ),
            disrupts("stop|*-stop", "stop what is running there", "cf stop web", "cf apps"),
        ],
    },
    Tool {
        names: &["fly", "flyctl"],
        valued: "-a --app -c --config -t --access-token -o --org -r --region",
        reads: READS,
        rows: &[
            destroys(
                "* destroy|delete|rm|remove|unset",
                "deletes that for good",
                "fly -a web volumes destroy vol_1",
                "fly volumes list",
            ),
            disrupts(
                "* suspend|stop|kill",
                "stop what is running there",
                "fly machine stop 1a2b",
                "fly machine status 1a2b",
            ),
            disrupts("scale count 0", "stop every machine", "fly scale count 0", "fly scale count 2"),
        ],
    },
    Tool {
        names: &["heroku"],
        valued: "-a --app -r --remote",
        reads: "",
        rows: &[
            destroys(
                "*:destroy|destroy|pg:reset|pg:copy|pg:push|pg:restore|pg:backups:restore|*:delete|*:remove|*:clear|\
                 *:unset|*:detach",
                "deletes or overwrites that for good",
                "heroku pg:reset -a web --confirm web",
                "heroku pg:info -a web",
            ),
            disrupts(
                "ps:stop|maintenance:on|ps:kill",
                "stop the application",
                "heroku ps:stop web",
                "heroku ps",
            ),
            disrupts("ps:scale", "stop the application", "heroku ps:scale web=0", "heroku ps:scale web=2")
                .needs("*=0"),
        ],
    },
    Tool {
        names: &[
            "vercel", "vc", "now", "railway", "render", "surge", "deta", "northflank", "koyeb", "clever",
        ],
        valued: "-t --token -S --scope --cwd -A --local-config --project --service --environment -e",
        reads: READS,
        rows: &[destroys(
            "* rm|remove|del|delete|down|teardown|destroy",
            "deletes that for good",
            "vercel env rm KEY production",
            "vercel env ls",
        )],
    },
    Tool {
        names: &["netlify", "ntl", "firebase"],
        valued: "--auth --site -s --filter -P --project --token --account",
        reads: "",
        rows: &[
            destroys(
                "*:delete|*:remove|*:unset|*:destroy|*:disable",
                "deletes that for good",
                "firebase firestore:delete --all-collections",
                "firebase projects:list",
            ),
            destroys(
                "api",
                "deletes that for good",
                "netlify api deleteSite --data '{}'",
                "netlify api listSites",
            )
            .needs("delete*"),
        ],
    },
    Tool {
        names: &["wrangler"],
        valued: "-c --config -e --env --cwd --name",
        reads: READS,
        rows: &[destroys(
            "* delete|purge|unsubscribe",
            "deletes that for good",
            "wrangler kv namespace delete --namespace-id x",
            "wrangler kv namespace delete --namespace-id x --local",
        )
        .unless("--local")],
    },
    Tool {
        names: &["supabase"],
        valued: "--workdir --profile -o --output --network-id",
        reads: READS,
        rows: &[
            destroys(
                "db reset",
                "drops the database and builds it anew",
                "supabase db reset",
                "supabase db diff",
            ),
            destroys("stop", "deletes the local database", "supabase stop --no-backup", "supabase stop")
                .needs("--no-backup"),
            destroys(
                "* delete|unset|rm|remove",
                "deletes that for good",
                "supabase projects delete ref",
                "supabase projects list",
            ),
        ],
    },
    Tool {
        names: &["turso", "pscale", "neonctl", "neon", "xata", "convex", "appwrite", "nhost", "upstash"],
        valued: "--org --project-id --api-key -o --output",
        reads: READS,
        rows: &[destroys(
            "* destroy|delete|reset|rm|restore",
            "deletes or overwrites that for good",
            "turso db destroy prod",
            "turso db show prod",
        )],
    },
    Tool {
        names: &[
            "auth0", "stripe", "okta", "sentry-cli", "algolia", "contentful", "sanity", "shopify", "twilio",
        ],
        valued: "--tenant --api-key --project-name --stripe-account -o --org -p --project",
        reads: READS,
        rows: &[destroys(
            "* delete|rm|remove|clear|*:remove|*:delete|purge",
            "deletes that from the service for good",
            "auth0 users delete auth0|1",
            "auth0 users search -q x",
        )],
    },
    Tool {
        names: &["rclone"],
        valued: "--config --log-level --transfers --checkers --filter --include --exclude --bwlimit",
        reads: "",
        rows: &[
            destroys(
                "delete|purge|deletefile|rmdirs|cleanup|dedupe",
                "deletes files on the remote",
                "rclone purge remote:x",
                "rclone ls remote:x",
            )
            .unless("-n -i --interactive"),
            destroys(
                "sync|bisync",
                "deletes at the destination what the source does not have",
                "rclone sync . remote:x",
                "rclone copy . remote:x",
            )
            .unless("-n -i --interactive --backup-dir"),
        ],
    },
    Tool {
        names: &["s3cmd", "s5cmd", "mc", "b2", "azcopy", "ossutil", "coscli", "ossutil64"],
        valued: "-c --config --endpoint-url --profile --access_key --secret_key --region",
        reads: "",
        rows: &[
            destroys(
                "del|rm|rb|remove|delete-*|delete",
                "deletes objects or buckets",
                "s3cmd del --recursive s3://b",
                "s3cmd ls s3://b",
            ),
            destroys(
                "sync|mirror",
                "deletes at the destination what the source does not have",
                "mc mirror --remove . s3/b",
                "mc mirror . s3/b",
            )
            .needs("--delete-removed --delete --remove --delete-destination"),
            destroys(
                "bucket|file|key rm|delete|remove",
                "deletes objects or buckets",
                "b2 bucket delete x",
                "b2 bucket list",
            ),
            exposes(
                "setacl|put|sync|anonymous|policy",
                "let everybody read the objects",
                "s3cmd setacl --acl-public s3://b",
                "s3cmd setacl --acl-private s3://b",
            )
            .needs("-P --acl-public public download upload"),
        ],
    },
    Tool {
        names: &["gsutil"],
        valued: "-o -u -i -h ",
        reads: "",
        rows: &[
            destroys(
                "rm|rb",
                "deletes objects or buckets",
                "gsutil -m rm -r gs://b",
                "gsutil -m cp x gs://b",
            ),
            destroys(
                "rsync",
                "deletes at the destination what the source does not have",
                "gsutil rsync -d . gs://b",
                "gsutil rsync -r . gs://b",
            )
            .needs("-d"),
            exposes(
                "iam|acl|defacl ch|set",
                "let everybody read the objects",
                "gsutil iam ch allUsers:objectViewer gs://b",
                "gsutil iam get gs://b",
            )
            .needs("allUsers* AllUsers* public-*"),
        ],
    },
    Tool {
        names: &["restic", "borg", "borgmatic", "kopia", "duplicity", "tarsnap", "rustic"],
        valued: "-r --repo --repository-file -p --password-file --config -c",
        reads: READS,
        rows: &[
            destroys(
                "forget|prune|delete|rdelete|repo-delete|purge|remove-*|cleanup",
                "deletes backups",
                "restic -r repo forget --keep-last 1 --prune",
                "restic -r repo snapshots",
            )
            .unless("-n"),
            destroys(
                "snapshot|policy delete",
                "deletes backups",
                "kopia snapshot delete x",
                "kopia snapshot list",
            ),
        ],
    },
];
