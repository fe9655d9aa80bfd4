//! Infrastructure as code: terraform, pulumi, cdk and their like.

use super::table::{ProgramTable, destroys, disrupts, programs};

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("terraform tofu terragrunt terramate cdktf")
        .valued(
            "-chdir --working-dir --terragrunt-working-dir --config --terragrunt-config \
                 --queue-include-dir --log-level -C",
        )
        .rows(&[
            destroys("destroy", "takes down everything this configuration manages"),
            destroys("destroy-all", "takes down everything these configurations manage"),
            destroys("run|run-all|stack destroy", "takes down everything these configurations manage"),
            destroys("apply", "takes down everything this configuration manages").needs("-destroy"),
            disrupts(
                "apply",
                "change live infrastructure, deletions included, without anybody reading the plan",
            )
            .needs("-auto-approve tfplan *.tfplan <yes"),
            disrupts(
                "run|run-all apply",
                "change live infrastructure, deletions included, without anybody reading the plan",
            ),
            disrupts("deploy", "change live infrastructure without anybody reading the plan")
                .needs("-auto-approve"),
            destroys("state rm|push", "makes the state forget what exists"),
            destroys("workspace delete", "deletes a workspace with its state"),
            disrupts("force-unlock", "take away a lock that somebody may hold"),
        ]),
    programs("pulumi").valued("-C --cwd -s --stack --color -v --verbose --profiling --tracing").rows(&[
        destroys("destroy|down|dn", "takes down everything this stack manages"),
        disrupts("up|update", "change live infrastructure without anybody reading the preview")
            .needs("-y --yes -f --skip-preview <yes"),
        destroys("stack|env rm|remove", "deletes a stack or an environment with its history"),
        destroys("state delete|unprotect", "makes the state forget or stop protecting what exists"),
    ]),
    programs(
        "cdk aws-cdk sam serverless sls sst amplify copilot eb azd rain chalice zappa nitric \
                 encore claudia",
    )
    .valued("-a --app --profile --region -s --stage --stack-name -c --context -o --output")
    .reads("list ls show status get diff synth logs info")
    .rows(&[
        destroys(
            "destroy|remove|delete|down|terminate|undeploy|rm",
            "takes down the deployed stack with its data",
        ),
        disrupts("deploy", "change live infrastructure without anybody reading the plan")
            .needs("--require-approval=never"),
        destroys("app|env|svc|job|storage|stack delete", "takes down the deployed application with its data"),
    ]),
    programs("ansible").rows(&[disrupts("?", "stop or change many machines at once")
        .needs(
            "-m=reboot -m=shutdown -m=ansible.builtin.reboot -m=community.general.shutdown \
                 --module-name=reboot -m=user -m=ansible.builtin.user",
        )
        .unless("--check -C --list-hosts")]),
    programs("knife")
        .reads("list show status search")
        .rows(&[destroys("* delete|bulk", "deletes that from the Chef server")]),
];
