//! How the page looks: light and dark, wide and narrow, and on paper.

pub(super) const STYLE: &str = "\
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1d2125;--soft:#5b646d;--line:#dfe2e5;--accent:#b3261e;--accent-bg:#fdecea;
--good:#1a7f37;--add:#e6f6ea;--del:#fdeaea;--code:#f1f2f3;--mark:#fff3cd}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--card:#1c2024;--text:#e6e8ea;--soft:#9aa4ad;--line:#31373d;--accent:#ff8a80;
--accent-bg:#3a1d1b;--good:#6fdd8b;--add:#12331d;--del:#3d1a1a;--code:#262b30;--mark:#40350f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:1080px;margin:0 auto;padding:24px 20px 64px}
header{border-left:6px solid var(--accent);background:var(--card);border-radius:8px;padding:20px 24px;box-shadow:0 1px 3px #0002}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 8px}
h2{font-size:1.2rem;margin:40px 0 12px;padding-bottom:6px;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:16px 0 6px}
.card h3{margin-top:0}
p{margin:8px 0}
.soft{color:var(--soft);font-size:.9rem}
.badge{display:inline-block;padding:2px 10px;border-radius:99px;background:var(--accent);color:var(--card);font-size:.8rem;
font-weight:600;text-transform:uppercase;letter-spacing:.04em;vertical-align:middle;white-space:nowrap}
code,pre{font:0.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{background:var(--code);border-radius:4px;padding:2px 6px;overflow-wrap:anywhere;unicode-bidi:isolate}
.copy{display:block;padding:8px 10px;margin:6px 0;user-select:all}
.copy span{display:block;color:var(--soft);font:.75rem/1.4 system-ui,sans-serif;user-select:none}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px 16px;min-width:0}
.card.off{opacity:.65}
ul{padding-left:20px;margin:6px 0}
li{margin:3px 0;overflow-wrap:anywhere}
blockquote{margin:0;padding:10px 16px;border-left:4px solid var(--line);background:var(--card);overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:6px 10px;border-bottom:1px solid var(--line);unicode-bidi:isolate}
.timeline td{overflow-wrap:anywhere}
th{color:var(--soft);font-weight:600}
td.time{white-space:nowrap;color:var(--soft);font-variant-numeric:tabular-nums}
.timeline td.who{min-width:12em;overflow-wrap:break-word}
tr.trigger{background:var(--mark)}
tr.intervention td,tr.began td{color:var(--soft);font-style:italic}
tr.stop{background:var(--accent-bg);font-weight:600}
.bad{color:var(--accent)}
.ok{color:var(--good)}
progress{width:100%;min-width:80px;height:10px;accent-color:var(--good)}
progress.full{accent-color:var(--accent)}
pre.diff{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 0;overflow-x:auto;max-height:70vh;margin:8px 0}
pre.diff span{display:block;padding:0 12px;white-space:pre;unicode-bidi:isolate;min-width:max-content}
.add{background:var(--add)}
.del{background:var(--del)}
.hunk,.head{color:var(--soft)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:14px;margin:0}
.facts div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 16px}
.facts dt{color:var(--soft);font-size:.85rem}
.facts dd{margin:0;font-size:1.3rem;font-weight:600}
@media (max-width:640px){main{padding:12px 12px 48px}header{padding:14px 16px}h1{font-size:1.35rem}
table.timeline thead{display:none}table.timeline tr{display:block;padding:8px 0;border-bottom:1px solid var(--line)}
table.timeline td{display:block;border:0;padding:1px 8px}}
@media print{pre.diff{max-height:none}.card{break-inside:avoid}}
";
