//! Containers, clusters and virtual machines: docker, kubectl, helm and their like.

use super::line::Line;
use super::mount::Mount;
use super::table::{Tool, destroys, disrupts, exposes, publishes};
use super::{Call, Meaning};
use crate::step::effect::Effect;

const KUBERNETES: &str = "-n --namespace --context --cluster --kubeconfig --user --token -s --server --as --as-group \
    --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout -v --v \
    --tls-server-name --profile --kube-context --kube-apiserver --kube-token --kube-as-user --kube-as-group \
    --kube-ca-file --kube-tls-server-name --registry-config --repository-cache --repository-config -f --file \
    -e --environment -l --selector --argocd-context --grpc-web-root-path --auth-token --config";
/// Clusters that live on this machine only.
const LOCAL: &str = "--context=kind-* --context=minikube --context=docker-desktop --context=k3d-* \
    --context=orbstack --context=colima --kube-context=kind-* --kube-context=minikube";
const READS: &str = "get list ls show describe status inspect info logs search view history diff top";

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["docker", "podman", "nerdctl"],
        valued: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p \
            --project-name --profile --env-file --project-directory --parallel --progress --ansi --url --connection \
            --identity --root --runroot --storage-driver --namespace --address",
        reads: READS,
        rows: &[
            destroys(
                "volume rm|remove|prune",
                "deletes volumes with the data in them",
                "docker --context x volume rm pgdata",
                "docker volume ls",
            ),
            destroys(
                "system prune",
                "deletes what no running container uses: images, containers, with --volumes their data",
                "docker system prune -af",
                "docker system prune -f",
            )
            .needs("-a --all --volumes"),
            destroys(
                "system reset",
                "deletes every container, image, network and volume",
                "podman system reset --force",
                "podman system info",
            ),
            destroys("rm|remove", "removes every container", "podman rm --all --force", "podman rm one")
                .needs("--all -a"),
            destroys(
                "pod|container rm|remove",
                "removes every container",
                "podman pod rm -af",
                "podman pod rm one",
            )
            .needs("--all -a"),
            destroys(
                "machine rm|reset",
                "deletes the virtual machine with everything in it",
                "podman machine rm -f",
                "podman machine ls",
            ),
            destroys(
                "compose down|rm",
                "deletes the project's volumes with the data in them",
                "docker compose -f dev.yml down -v",
                "docker compose -f dev.yml down",
            )
            .needs("-v --volumes"),
            destroys(
                "stack|service|secret|config|node rm|remove|down",
                "removes what the swarm runs or keeps",
                "docker stack rm web",
                "docker stack ps web",
            ),
            disrupts("swarm leave", "leave the swarm", "docker swarm leave --force", "docker swarm ca"),
            publishes("push", "an image", "docker push org/app:1", "docker push localhost:5000/app")
                .unless("localhost:* localhost/* 127.0.0.1:*"),
            publishes(
                "image|compose|manifest push",
                "an image",
                "docker image push org/app",
                "docker image ls",
            )
            .unless("localhost:* 127.0.0.1:*"),
            publishes("build", "an image", "docker build --push -t org/app .", "docker build -t org/app .")
                .needs("--push"),
            publishes(
                "buildx|compose build|bake",
                "an image",
                "docker buildx build --push -t org/app .",
                "docker buildx build --load .",
            )
            .needs("--push"),
        ],
    },
    Tool {
        names: &["docker-compose", "podman-compose"],
        valued: "-f --file -p --project-name --profile --env-file --project-directory --context -H --host",
        reads: "",
        rows: &[destroys(
            "down|rm",
            "deletes the project's volumes with the data in them",
            "docker-compose -p app down --volumes",
            "docker-compose down --remove-orphans",
        )
        .needs("-v --volumes")],
    },
    Tool {
        names: &["kubectl", "oc", "kubecolor"],
        valued: KUBERNETES,
        reads: READS,
        rows: &[
            destroys(
                "delete",
                "deletes that from the cluster",
                "kubectl -n prod delete pvc data",
                "kubectl --context delete get pods",
            )
            .unless(LOCAL),
            destroys(
                "replace",
                "deletes the object before it makes it anew",
                "kubectl replace --force -f db.yaml",
                "kubectl replace -f db.yaml",
            )
            .needs("--force"),
            destroys(
                "apply",
                "deletes from the cluster what the files no longer name",
                "kubectl apply --prune -l app=x -f .",
                "kubectl apply -f .",
            )
            .needs("--prune"),
            disrupts(
                "drain",
                "move everything off a node",
                "kubectl drain node-1 --ignore-daemonsets",
                "kubectl uncordon node-1",
            )
            .unless(LOCAL),
            disrupts("adm drain", "move everything off a node", "oc adm drain node-1", "oc adm top nodes"),
            destroys(
                "adm prune",
                "deletes builds, images or deployments",
                "oc adm prune images --confirm",
                "oc adm prune images",
            )
            .needs("--confirm"),
            disrupts(
                "scale",
                "stop every replica of a service",
                "kubectl scale deploy/web --replicas=0",
                "kubectl scale deploy/web --replicas 3",
            )
            .needs("--replicas=0")
            .unless(LOCAL),
            exposes(
                "create clusterrolebinding|rolebinding",
                "give an account every right in the cluster",
                "kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=y",
                "kubectl create clusterrolebinding x --clusterrole=view --user=y",
            )
            .needs("--clusterrole=cluster-admin --clusterrole=admin"),
            exposes(
                "adm policy add-*",
                "give an account more rights in the cluster",
                "oc adm policy add-cluster-role-to-user admin x",
                "oc adm policy who-can get pods",
            ),
        ],
    },
    Tool {
        names: &["helm"],
        valued: KUBERNETES,
        reads: READS,
        rows: &[
            destroys(
                "uninstall|delete|del|un",
                "removes the release with what it runs",
                "helm -n prod uninstall db",
                "helm -n prod status db",
            )
            .unless(LOCAL),
            publishes("push|cm-push", "a chart", "helm push app-1.tgz oci://registry/x", "helm pull app"),
        ],
    },
    Tool {
        names: &["helmfile", "skaffold", "garden", "okteto", "devspace"],
        valued: KUBERNETES,
        reads: "",
        rows: &[destroys(
            "destroy|delete|purge",
            "removes what it deployed",
            "helmfile -e prod destroy",
            "helmfile -e prod diff",
        )],
    },
    Tool {
        names: &["kind", "k3d", "minikube", "eksctl", "kops", "ctlptl", "clusterctl"],
        valued: KUBERNETES,
        reads: READS,
        rows: &[
            destroys(
                "delete",
                "deletes a cluster or a part of it",
                "eksctl delete cluster prod",
                "eksctl get cluster",
            ),
            destroys(
                "cluster|node|registry delete|rm",
                "deletes a cluster or a part of it",
                "k3d cluster delete dev",
                "k3d cluster list",
            ),
            disrupts("drain", "move everything off its nodes", "eksctl drain nodegroup x", "eksctl version"),
        ],
    },
    Tool {
        names: &["argocd", "flux", "istioctl", "velero", "cilium", "linkerd", "karmadactl", "vcluster"],
        valued: KUBERNETES,
        reads: READS,
        rows: &[
            destroys(
                "* delete|delete-resource|rm|uninstall|purge",
                "removes what the cluster runs or keeps",
                "argocd app delete web",
                "argocd app get web",
            ),
            disrupts("suspend", "stop following the source", "flux suspend kustomization x", "flux get all"),
        ],
    },
    Tool {
        names: &["kubeadm", "talosctl", "k0s", "rke", "rke2", "k3s-uninstall.sh", "k3s-killall.sh"],
        valued: "-n --nodes -e --endpoints --talosconfig --context --kubeconfig --config",
        reads: READS,
        rows: &[destroys(
            "reset|remove",
            "takes this node out of its cluster and wipes its state",
            "kubeadm reset -f",
            "kubeadm config view",
        )],
    },
    Tool {
        names: &["nomad"],
        valued: "-address -namespace -region -token",
        reads: "status inspect list",
        rows: &[
            disrupts("stop", "stop a job", "nomad stop web", "nomad status web"),
            disrupts("job stop", "stop a job", "nomad job stop -purge web", "nomad job status web"),
            disrupts(
                "node drain",
                "move everything off a node",
                "nomad node drain -enable x",
                "nomad node status",
            ),
            destroys(
                "namespace|volume|var|quota|acl delete|purge|deregister",
                "deletes that",
                "nomad volume delete x",
                "nomad volume status",
            ),
        ],
    },
    Tool {
        names: &["crictl", "ctr"],
        valued: "-r --runtime-endpoint -i --image-endpoint -n --namespace -a --address -c --config",
        reads: READS,
        rows: &[
            destroys(
                "rm|rmp",
                "removes every container or pod of this node",
                "crictl rmp -fa",
                "crictl ps -a",
            )
            .needs("-a --all"),
            destroys(
                "containers|container|c|snapshots|snapshot|content rm|delete|del|remove",
                "removes containers or their content",
                "ctr -n k8s.io containers rm x",
                "ctr containers ls",
            ),
        ],
    },
    Tool {
        names: &["colima", "limactl", "multipass", "orb", "orbctl", "vagrant", "tart"],
        valued: "-p --profile",
        reads: "",
        rows: &[destroys(
            "delete|destroy|purge|factory-reset|reset|rm|remove",
            "deletes the virtual machine with everything in it",
            "vagrant destroy -f",
            "vagrant status",
        )],
    },
    Tool {
        names: &["virsh"],
        valued: "-c --connect",
        reads: "",
        rows: &[
            destroys(
                "undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|pool-undefine",
                "deletes a machine or its disks",
                "virsh -c qemu:///system undefine db",
                "virsh list --all",
            ),
            disrupts(
                "destroy|reset",
                "pull the plug of a virtual machine",
                "virsh destroy db",
                "virsh dominfo db",
            ),
        ],
    },
    Tool {
        names: &["VBoxManage", "vboxmanage", "prlctl", "vmrun", "qm", "pct"],
        valued: "-T",
        reads: "",
        rows: &[destroys(
            "unregistervm|closemedium|delete|deleteVM|destroy",
            "deletes a virtual machine or its disk",
            "VBoxManage unregistervm db --delete",
            "VBoxManage list vms",
        )],
    },
    Tool {
        names: &["lxc", "incus"],
        valued: "--project",
        reads: READS,
        rows: &[
            destroys("delete|rm", "deletes a container with its disk", "lxc delete -f db", "lxc list"),
            destroys(
                "storage|project|cluster|snapshot|image delete|rm|remove|volume",
                "deletes a container's storage",
                "incus storage delete pool",
                "incus storage list",
            )
            .needs("delete rm remove"),
        ],
    },
    Tool {
        names: &["machinectl"],
        valued: "",
        reads: "",
        rows: &[destroys(
            "remove|terminate|poweroff",
            "stops or deletes a machine",
            "machinectl remove db",
            "machinectl list",
        )],
    },
];

/// What no table can say: a container that is given the whole disk, and every container at once.
pub fn survey(line: &Line<'_>, call: &Call<'_>, meaning: &mut Meaning) {
    let whole = |mount: &Mount| mount.writable && mount.from.literal() == Some("/");
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
fn takes_every_container(line: &Line<'_>, call: &Call<'_>) -> bool {
    let names_one =
        line.words("").nth(1).is_some_and(|word| word != "rm" && word != "kill" && word != "stop");
    let lists_all = |command: &crate::shell::Command| {
        let listing = Line { program: "docker", arguments: command.arguments(), ..*line };
        let lists = listing.begins_with("ps|container", "", "") && listing.has("-q --quiet");
        command.program() == Some(line.program) && lists && !listing.has("-f --filter")
    };
    !names_one && call.others.iter().any(lists_all)
}
