//! Processes, services and other machines' resources that a shell command starts and that outlive it.

use crate::pure::shell::{Command, NameTable, Word};
use crate::pure::step::assessment::{SideEffect, SideEffectKind, SideEffectSeverity};

/// The side effects of what the commands start.
pub(crate) fn started(commands: &[Command]) -> impl Iterator<Item = SideEffect> {
    commands.iter().filter(|command| !command.is_possible()).filter_map(side_effect)
}

/// Programs that may start what outlives them.
static STARTERS: NameTable<(), 64> = NameTable::of(
    "systemctl rc-service initctl service launchctl brew pm2 docker podman nerdctl docker-compose podman-compose \
    kubectl oc helm terraform tofu pulumi aws gcloud az",
    (),
);

fn side_effect(command: &Command) -> Option<SideEffect> {
    let program = command.program()?;
    if STARTERS.find(program).is_none() && !command.background {
        return None;
    }
    let words: Vec<&str> = command.operands().filter_map(Word::literal).collect();
    let effect = |kind, target: String, mitigation: &str| {
        let severity = SideEffectSeverity::Medium;
        let mitigation = (!mitigation.is_empty()).then(|| mitigation.to_owned());
        Some(SideEffect { kind, target, reversible: true, severity, mitigation })
    };
    let first = words.first().copied().unwrap_or_default();
    let named = || words.get(1).copied().unwrap_or(first).to_owned();
    let stop = "stop it when it is not needed any more";
    match (program, first) {
        ("systemctl" | "rc-service" | "initctl", "start" | "restart" | "reload" | "enable") => {
            effect(SideEffectKind::System, format!("service {}", named()), stop)
        }
        ("service", _) if words.get(1).is_some_and(|verb| matches!(*verb, "start" | "restart")) => {
            effect(SideEffectKind::System, format!("service {first}"), stop)
        }
        ("launchctl", "load" | "start" | "bootstrap" | "kickstart")
        | ("brew", "services")
        | ("pm2", "start") => {
            effect(SideEffectKind::System, format!("service {}", words.last().unwrap_or(&first)), stop)
        }
        ("docker" | "podman" | "nerdctl", "run" | "start" | "create") => {
            effect(SideEffectKind::Resource, "a container".into(), stop)
        }
        ("docker" | "podman" | "nerdctl", "compose") if words.contains(&"up") || words.contains(&"start") => {
            effect(
                SideEffectKind::Resource,
                "the containers of the compose file".into(),
                "docker compose down",
            )
        }
        ("docker-compose" | "podman-compose", "up" | "start") => effect(
            SideEffectKind::Resource,
            "the containers of the compose file".into(),
            "docker compose down",
        ),
        ("kubectl" | "oc", "apply" | "create" | "run" | "scale") | ("helm", "install" | "upgrade") => {
            effect(SideEffectKind::Resource, "resources of the cluster".into(), "")
        }
        ("terraform" | "tofu" | "pulumi", "apply" | "up") => {
            effect(SideEffectKind::Resource, "resources of the infrastructure".into(), "")
        }
        ("aws" | "gcloud" | "az", _) if words.iter().any(|verb| creates(verb)) => {
            effect(SideEffectKind::Resource, format!("resources of {program}"), "")
        }
        _ if command.background => {
            effect(SideEffectKind::System, format!("the process {program}, in the background"), stop)
        }
        _ => None,
    }
}

fn creates(verb: &str) -> bool {
    matches!(verb, "create" | "deploy" | "run-instances" | "start-instances") || verb.starts_with("create-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::shell::{Budget, Reading, parse};

    fn of(text: &str) -> Vec<(SideEffectKind, String)> {
        let parsed = parse(text, &mut Budget::for_reading(Reading::Thorough));
        started(&parsed.commands).map(|effect| (effect.kind, effect.target)).collect()
    }

    #[test]
    fn what_outlives_the_command_is_a_side_effect() {
        use SideEffectKind::{Resource, System};
        for (text, kind, target) in [
            ("npm run dev &", System, "the process npm, in the background"),
            (
                "nohup python3 -m http.server 8000 > log 2>&1 &",
                System,
                "the process python3, in the background",
            ),
            ("sudo systemctl restart nginx", System, "service nginx"),
            ("systemctl --user start sync.timer", System, "service sync.timer"),
            ("service postgresql start", System, "service postgresql"),
            ("docker compose up -d", Resource, "the containers of the compose file"),
            ("docker run -d redis", Resource, "a container"),
            ("kubectl apply -f app.yaml", Resource, "resources of the cluster"),
            ("terraform apply -auto-approve", Resource, "resources of the infrastructure"),
            ("aws ec2 run-instances --count 1", Resource, "resources of aws"),
        ] {
            assert!(of(text).contains(&(kind, target.to_owned())), "{text}: {:?}", of(text));
        }
    }

    #[test]
    fn what_ends_with_the_command_is_none() {
        for text in [
            "npm test", "systemctl status nginx", "docker ps", "docker compose logs", "kubectl get pods",
            "terraform plan", "aws s3 ls", "echo 'x &'", "a && b",
        ] {
            assert_eq!(of(text), [], "{text}");
        }
    }
}
