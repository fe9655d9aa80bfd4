//! Monitoring, alerting, sign-in, analytics.

use super::row::{Proof, Token, UUID, token};

pub(super) const TOKENS: &[Token] = &[
    token("sentry-user-token", "sntryu_", r"[A-Za-z0-9]{64}"),
    token("sentry-organisation-token", "sntrys_eyJ", r"[\w=+/-]{60,600}_[A-Za-z0-9+/]{43}"),
    token("grafana-service-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    token("grafana-cloud-token", "glc_", r"[A-Za-z0-9+/]{32,400}={0,3}"),
    token("grafana-api-key", "eyJrIjoi", r"[A-Za-z0-9+/]{60,400}={0,3}"),
    token("datadog-pat", "ddpat_", r"[A-Za-z0-9_]{30,80}"),
    token("new-relic-user-key", "NRAK-", r"[A-Za-z0-9]{27}"),
    token("new-relic-insert-key", "NRII-", r"[\w-]{32}"),
    token("new-relic-browser-key", "NRJS-", r"[A-Za-z0-9]{19}"),
    token("new-relic-admin-key", "NRAA-", r"[A-Za-z0-9]{27}"),
    token("dynatrace-token", "dt0", r"[a-zA-Z]\d{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    token("posthog-project-key", "phc_", r"[\w-]{43}"),
    token("posthog-project-key", "phc_", r"[\w-]{41}"),
    token("posthog-personal-key", "phx_", r"[\w-]{43,47}"),
    token("segment-token", "sgp_", r"[A-Za-z0-9]{64}"),
    token("rootly-token", "rootly_", r"[A-Za-z0-9]{64}"),
    token("pagerduty-token", "pdus+_", r"[\w-]{20,80}"),
    token("logfire-token", "pylf_v1_", r"(?:us|eu)_[A-Za-z0-9]{40,60}"),
    token("axiom-token", "xaat-", UUID),
    token("axiom-personal-token", "xapt-", UUID),
    token("statsig-secret", "secret-", r"[A-Za-z0-9]{40,60}"),
    token("clerk-secret-key", "sk_live_", r"[A-Za-z0-9]{38,60}"),
    token("workos-key", "sk_live_", r"a2V5X[A-Za-z0-9+/=]{40,90}"),
    token("stytch-secret", "secret-live-", r"[\w=-]{36}"),
    token(
        "authress-key",
        "sc_",
        r"[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    )
    .also(&["ext_"]),
    token("jumpcloud-key", "jca_", r"[A-Za-z0-9]{36}"),
    token("persona-key", "persona_production_", r"[\w-]{28,48}"),
    token("onfido-token", "api_live", r"(?:_us|_ca)?\.[\w-]{11,40}(?:\.[\w-]{32})?"),
    token(
        "canadian-notify-key",
        "gcntfy-",
        r"[\w-]+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    token(
        "canadian-notify-key",
        "GCNTFY-",
        r"[\w-]+-[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}-[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}",
    ),
    token(
        "workato-token",
        "wrka",
        r"(?:eu|au|sg|jp|il|trial)?-eyJ[\w-]{10,400}\.eyJ[\w-]{10,800}\.[\w-]{20,800}",
    ),
    token("samsara-token", "samsara_api_", r"[A-Za-z0-9]{30}"),
    token("ory-token", "ory_", r"(?:at|st|pat|rt|ac)_[\w.-]{32,100}"),
    token("riot-api-key", "RGAPI-", UUID),
    token("webhook-signing-secret", "whsec_", r"[A-Za-z0-9+/]{32,64}={0,2}"),
    token("json-web-token", "eyJ", r"[\w-]{15,}={0,2}\.eyJ[\w-]{15,}={0,2}(?:\.[\w-]{10,}={0,2})?")
        .uncertain()
        .with(Proof::WebToken),
    token("json-web-token-twice-encoded", "ZXlK", r"[A-Za-z0-9+/]{8,60}[A-Za-z0-9+/=]{60,}").uncertain(),
    token("encrypted-web-token", "eyJhbGciOi", r"[\w-]{15,}\.[\w-]*\.[\w-]{10,}\.[\w-]{20,}\.[\w-]{16,}")
        .uncertain(),
    token("honeycomb-key", "hca", r"[a-z]{2}_[a-z0-9]{26,64}").also(&["hcx"]),
    token("honeybadger-key", "hbp_", r"[A-Za-z0-9]{36}"),
    token("firehydrant-key", "fhb-", r"[0-9a-f]{32,64}"),
    token("checkly-key", "cu_", r"[0-9a-f]{32}"),
    token("dynatrace-token", "dt0s", r"\d{2}\.[A-Z0-9]{8}\.[A-Z0-9]{64}"),
    token("unleash-token", "default:", r"(?:development|production|staging)\.[0-9a-f]{50,70}"),
    token("censys-token", "censys_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24,40}"),
    token("cal-com-key", "cal_live_", r"[0-9a-f]{32}").also(&["cal_"]),
    token("statsig-key", "console-", r"[A-Za-z0-9]{40,60}"),
    token("roblox-cookie", "_|WARNING:-DO-NOT-SHARE-THIS", r"[^\n]{20,120}\|_[0-9A-F]{100,1200}"),
];
