//! Infrastructure as code: terraform, pulumi, cdk and their like.

use super::table::{Tool, destroys, disrupts};

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["terraform", "tofu", "terragrunt", "terramate", "cdktf"],
        valued: "-chdir --working-dir --terragrunt-working-dir --config --terragrunt-config --queue-include-dir \
            --log-level -C",
        reads: "",
        rows: &[
            destroys(
                "destroy",
                "takes down everything this configuration manages",
                "terraform -chdir=prod destroy",
                "terraform plan -destroy",
            ),
            destroys(
                "destroy-all",
                "takes down everything these configurations manage",
                "terragrunt destroy-all",
                "terragrunt plan-all",
            ),
            destroys(
                "run|run-all|stack destroy",
                "takes down everything these configurations manage",
                "terragrunt run-all destroy",
                "terragrunt run-all plan",
            ),
            destroys(
                "apply",
                "takes down everything this configuration manages",
                "terraform apply -destroy",
                "terraform apply",
            )
            .needs("-destroy"),
            disrupts(
                "apply",
                "change live infrastructure, deletions included, without anybody reading the plan",
                "terraform apply -auto-approve",
                "terraform apply -var x=1",
            )
            .needs("-auto-approve tfplan *.tfplan <yes"),
            disrupts(
                "run|run-all apply",
                "change live infrastructure, deletions included, without anybody reading the plan",
                "terragrunt run-all apply",
                "terragrunt run-all output",
            ),
            disrupts(
                "deploy",
                "change live infrastructure without anybody reading the plan",
                "cdktf deploy --auto-approve",
                "cdktf diff",
            )
            .needs("-auto-approve"),
            destroys(
                "state rm|push",
                "makes the state forget what exists",
                "terraform state rm aws_db_instance.main",
                "terraform state list",
            ),
            destroys(
                "workspace delete",
                "deletes a workspace with its state",
                "terraform workspace delete prod",
                "terraform workspace list",
            ),
            disrupts(
                "force-unlock",
                "take away a lock that somebody may hold",
                "terraform force-unlock 1a2b",
                "terraform version",
            ),
        ],
    },
    Tool {
        names: &["pulumi"],
        valued: "-C --cwd -s --stack --color -v --verbose --profiling --tracing",
        reads: "",
        rows: &[
            destroys(
                "destroy|down|dn",
                "takes down everything this stack manages",
                "pulumi -s prod destroy --yes",
                "pulumi preview",
            ),
            disrupts(
                "up|update",
                "change live infrastructure without anybody reading the preview",
                "pulumi up --yes",
                "pulumi up",
            )
            .needs("-y --yes -f --skip-preview <yes"),
            destroys("stack rm", "deletes a stack with its history", "pulumi stack rm prod", "pulumi stack ls"),
            destroys(
                "state delete|unprotect",
                "makes the state forget or stop protecting what exists",
                "pulumi state delete urn:x",
                "pulumi stack output",
            ),
        ],
    },
    Tool {
        names: &[
            "cdk", "aws-cdk", "sam", "serverless", "sls", "sst", "amplify", "copilot", "eb", "azd", "rain", "chalice", "zappa",  "nitric", "encore", "claudia",
        ],
        valued: "-a --app --profile --region -s --stage --stack-name -c --context -o --output",
        reads: "list ls show status get diff synth logs info",
        rows: &[
            destroys(
                "destroy|remove|delete|down|terminate|undeploy|rm",
                "takes down the deployed stack with its data",
                "serverless remove --stage prod",
                "serverless info --stage prod",
            ),
            disrupts(
                "deploy",
                "change live infrastructure without anybody reading the plan",
                "cdk deploy --require-approval never",
                "cdk deploy --require-approval broadening",
            )
            .needs("--require-approval=never"),
            destroys(
                "app|env|svc|job|storage|stack delete",
                "takes down the deployed application with its data",
                "copilot app delete",
                "copilot app show",
            ),
        ],
    },
    Tool {
        names: &["ansible"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "?",
            "stop or change many machines at once",
            "ansible all -m reboot",
            "ansible all -m ping",
        )
        .needs(
            "-m=reboot -m=shutdown -m=ansible.builtin.reboot -m=community.general.shutdown --module-name=reboot \
             -m=user -m=ansible.builtin.user",
        )
        .unless("--check -C --list-hosts")],
    },
    Tool {
        names: &["knife"],
        valued: "",
        reads: "list show status search",
        rows: &[destroys(
            "* delete|bulk",
            "deletes that from the Chef server",
            "knife node delete web1",
            "knife node list",
        )],
    },
];
