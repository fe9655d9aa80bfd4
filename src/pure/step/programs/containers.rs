//! Containers, clusters and virtual machines: docker, kubectl, helm and their like.

use super::line::ProgramLine;
use super::mount::Mount;
use super::table::{ProgramTable, destroys, disrupts, exposes, programs, publishes};
use super::{Meaning, ShellCall};
use crate::pure::step::effect::Effect;

const KUBERNETES: &str = "-n --namespace --context --cluster --kubeconfig --user --token -s --server --as --as-group \
    --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout -v --v \
    --tls-server-name --profile --kube-context --kube-apiserver --kube-token --kube-as-user --kube-as-group \
    --kube-ca-file --kube-tls-server-name --registry-config --repository-cache --repository-config -f --file \
    -e --environment -l --selector --argocd-context --grpc-web-root-path --auth-token --config";
/// Clusters that live on this machine only.
const LOCAL: &str = "--context=kind-* --context=minikube --context=docker-desktop --context=k3d-* \
    --context=orbstack --context=colima --kube-context=kind-* --kube-context=minikube";
/// Projects that are there to be thrown away.
const FOR_TESTS: &str =
    "-f=*test* --file=*test* -f=*e2e* --file=*e2e* -p=*test* --project-name=*test* -p=*e2e*";
const READS: &str = "get list ls show describe status inspect info logs search view history diff top";

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("docker podman nerdctl")
        .valued(
            "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f \
                 --file -p --project-name --profile --env-file --project-directory --parallel \
                 --progress --ansi --url --connection --identity --root --runroot --storage-driver \
                 --namespace --address",
        )
        .reads(READS)
        .rows(&[
            destroys("volume rm|remove|prune", "deletes volumes with the data in them"),
            destroys(
                "system prune",
                "deletes what no running container uses: images, containers, with --volumes their data",
            )
            .needs("-a --all --volumes"),
            destroys("system reset", "deletes every container, image, network and volume"),
            destroys("rm|remove", "removes every container").needs("--all -a"),
            disrupts("stop|kill", "end every container").needs("--all -a"),
            destroys("pod|container rm|remove", "removes every container").needs("--all -a"),
            destroys("machine rm|reset", "deletes the virtual machine with everything in it"),
            destroys("compose down|rm", "deletes the project's volumes with the data in them")
                .needs("-v --volumes")
                .unless(FOR_TESTS),
            destroys(
                "stack|service|secret|config|node rm|remove|down",
                "removes what the swarm runs or keeps",
            ),
            disrupts("swarm leave", "leave the swarm"),
            publishes("push", "an image").unless("localhost:* localhost/* 127.0.0.1:*"),
            publishes("image|compose|manifest push", "an image").unless("localhost:* 127.0.0.1:*"),
            publishes("build", "an image").needs("--push"),
            publishes("buildx|compose build|bake", "an image").needs("--push"),
        ]),
    programs("docker-compose podman-compose")
        .valued(
            "-f --file -p --project-name --profile --env-file --project-directory --context -H \
                 --host",
        )
        .rows(&[destroys("down|rm", "deletes the project's volumes with the data in them")
            .needs("-v --volumes")
            .unless(FOR_TESTS)]),
    programs("kubectl oc kubecolor").valued(KUBERNETES).reads(READS).rows(&[
        destroys("delete", "deletes that from the cluster").unless(LOCAL),
        destroys("replace", "deletes and recreates the object").needs("--force"),
        destroys("apply", "deletes from the cluster what the files no longer name").needs("--prune"),
        disrupts("drain", "move everything off a node").unless(LOCAL),
        disrupts("adm drain", "move everything off a node"),
        destroys("adm prune", "deletes builds, images or deployments").needs("--confirm"),
        disrupts("scale", "stop every replica of a service").needs("--replicas=0").unless(LOCAL),
        exposes("create clusterrolebinding|rolebinding", "give an account every right in the cluster")
            .needs("--clusterrole=cluster-admin --clusterrole=admin"),
        exposes("config set-credentials", "run a program with every call of the cluster")
            .needs("--exec-command"),
        exposes("adm policy add-*", "give an account more rights in the cluster"),
    ]),
    programs("helm").valued(KUBERNETES).reads(READS).rows(&[
        destroys("uninstall|delete|del|un", "removes the release with what it runs").unless(LOCAL),
        publishes("push|cm-push", "a chart"),
    ]),
    programs("helmfile skaffold garden okteto devspace")
        .valued(KUBERNETES)
        .rows(&[destroys("destroy|delete|purge", "removes what it deployed")]),
    programs("kind k3d minikube eksctl kops ctlptl clusterctl").valued(KUBERNETES).reads(READS).rows(&[
        destroys("delete", "deletes a cluster or a part of it"),
        destroys("cluster|node|registry delete|rm", "deletes a cluster or a part of it"),
        disrupts("drain", "move everything off its nodes"),
    ]),
    programs("argocd flux istioctl velero cilium linkerd karmadactl vcluster")
        .valued(KUBERNETES)
        .reads(READS)
        .rows(&[
            destroys("* delete|delete-resource|rm|uninstall|purge", "removes what the cluster runs or keeps"),
            disrupts("suspend", "stop following the source"),
        ]),
    programs("kubeadm talosctl k0s rke rke2")
        .valued("-n --nodes -e --endpoints --talosconfig --context --kubeconfig --config")
        .reads(READS)
        .rows(&[destroys("reset|remove", "takes this node out of its cluster and wipes its state")]),
    programs("k3s-uninstall.sh k3s-agent-uninstall.sh rke2-uninstall.sh")
        .rows(&[destroys("", "removes the cluster with its data")]),
    programs("nomad").valued("-address -namespace -region -token").reads("status inspect list").rows(&[
        disrupts("stop", "stop a job"),
        disrupts("job stop", "stop a job"),
        disrupts("node drain", "move everything off a node"),
        destroys("namespace|volume|var|quota|acl delete|purge|deregister", "deletes that"),
    ]),
    programs("crictl ctr")
        .valued("-r --runtime-endpoint -i --image-endpoint -n --namespace -a --address -c --config")
        .reads(READS)
        .rows(&[
            destroys("rm|rmp", "removes every container or pod of this node").needs("-a --all"),
            destroys(
                "containers|container|c|snapshots|snapshot|content rm|delete|del|remove",
                "removes containers or their content",
            ),
        ]),
    programs("colima limactl multipass orb orbctl vagrant tart").valued("-p --profile").rows(&[destroys(
        "delete|destroy|purge|factory-reset|reset|rm|remove",
        "deletes the virtual machine with everything in it",
    )]),
    programs("virsh").valued("-c --connect").rows(&[
        destroys(
            "undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|pool-undefine",
            "deletes a machine or its disks",
        ),
        disrupts("destroy|reset", "pull the plug of a virtual machine"),
    ]),
    programs("VBoxManage vboxmanage prlctl vmrun qm pct").valued("-T").rows(&[destroys(
        "unregistervm|closemedium|delete|deleteVM|destroy",
        "deletes a virtual machine or its disk",
    )]),
    programs("lxc incus").valued("--project").reads(READS).rows(&[
        destroys("delete|rm", "deletes a container with its disk"),
        destroys(
            "storage|project|cluster|snapshot|image delete|rm|remove|volume",
            "deletes a container's storage",
        )
        .needs("delete rm remove"),
    ]),
    programs("machinectl").rows(&[destroys("remove|terminate|poweroff", "stops or deletes a machine")]),
];

/// Effects that no table can state: a container that gets the whole disk, and every container at once.
pub(crate) fn survey(line: &ProgramLine<'_>, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let whole = |mount: &Mount| mount.writable && matches!(mount.from.literal(), Some("/" | "/dev"));
    if Mount::all(line.arguments).iter().any(whole) {
        let what = format!("give a container the whole disk of this machine (`{}`)", line.shown());
        meaning.effects.push(Effect::Expose { what });
    }
    let enters = line.has("--pid=host") && line.has("--privileged") && line.has("nsenter");
    if enters {
        let what = format!("leave the container for this machine (`{}`)", line.shown());
        meaning.effects.push(Effect::Expose { what });
    }
    let ends = line.begins_with("rm|kill|stop", "", "") || line.begins_with("container rm|kill|stop", "", "");
    if ends && takes_every_container(line, call) {
        let what =
            format!("end every container on this machine (`{} …`), not only this project's", line.shown());
        meaning.effects.push(Effect::Disrupt { what });
    }
}

/// `docker rm $(docker ps -aq)`, `docker ps -q | xargs docker kill`.
fn takes_every_container(line: &ProgramLine<'_>, call: &ShellCall<'_>) -> bool {
    let names_one =
        line.words("").nth(1).is_some_and(|word| word != "rm" && word != "kill" && word != "stop");
    let lists_all = |command: &crate::pure::shell::Command| {
        let listing = ProgramLine { program: "docker", arguments: command.arguments(), ..*line };
        let lists = listing.begins_with("ps|container", "", "") && listing.has("-q --quiet");
        command.program() == Some(line.program) && lists && !listing.has("-f --filter")
    };
    !names_one && call.others.iter().any(lists_all)
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn what_is_there_for_tests_may_be_thrown_away() {
        for command in [
            "kind delete cluster",
            "minikube delete",
            "k3d cluster delete",
            "kind delete cluster --name e2e",
            "minikube delete -p test",
            "colima delete test",
            "docker volume rm myapp_test_data",
            "docker-compose -f docker-compose.ci.yml down -v",
            "docker compose -p myapp-test down -v",
            "COMPOSE_PROJECT_NAME=app-test docker compose down -v",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
        for command in [
            "kind delete cluster --name harbour",
            "kind delete clusters --all",
            "minikube delete --all",
            "minikube delete -p harbour",
            "k3d cluster delete harbour",
            "k3d cluster delete --all",
            "colima delete",
            "docker volume rm test_data harbour_data",
            "docker volume rm contest",
            "docker volume prune -f",
            "docker compose -f docker-compose.yml down -v",
            "COMPOSE_PROJECT_NAME=harbour docker compose down -v",
        ] {
            assert!(shell(command).decision >= Decision::Ask, "{command}");
        }
    }
}
