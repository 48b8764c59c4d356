/**
 * Formats of credentials, by their issuers' documented prefixes. Each repetition either starts only where its run starts
 * (look-behind) or is bounded, so that time grows with the length of the text and no faster.
 */
export const CREDENTIALS: readonly RegExp[] = [
  // AWS access key ids, with the prefixes of the IAM reference; also the documentation's own example, which is no memory either.
  /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/gu,
  // JSON Web Tokens, signed or not.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*/gu,
  // A bearer credential has a digit; "the Bearer of the Ring" has none.
  /\bbearer\s{1,4}(?=[\w\-.~+/]{0,200}\d)(?<secret>[\w\-.~+/]{12,}=*)/giu,
  /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:basic|bearer|token|digest)\s{1,4})?(?<secret>[^\s"'[]{8,})/giu,
  // Stripe: secret and restricted keys, webhook secrets.
  /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{8,}/gu,
  // Google: API keys, OAuth client secrets, access tokens.
  /(?<![\w-])(?:AIza[\w-]{30,}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/gu,
  // OpenAI, Anthropic, OpenRouter and services that follow their shape.
  /(?<![\w-])sk-(?:proj|svcacct|admin|ant|or|lf)-[\w-]{8,}/gu,
  /(?<![\w-])sk-(?:(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{16,}|[A-Za-z0-9]{32,})/gu,
  // GitHub, GitLab, Slack, npm, PyPI, Hugging Face, Groq, xAI, DigitalOcean, Fly.io, SendGrid, age.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,})/gu,
  /(?<![\w-])gl(?:pat|ptt|oas|dt|rt|cbt|ft|soat|agent|imt|ffct)-[\w-]{12,}/gu,
  /(?<![\w-])xox[abceoprs]-[\w-]{8,}|(?<![\w-])xapp-[\w-]{12,}/gu,
  /hooks\.slack\.com\/services\/[\w/]{8,}/giu,
  /(?<![\w-])(?:npm_[A-Za-z0-9]{24,}|pypi-[\w-]{24,}|hf_[A-Za-z0-9]{24,}|gsk_[A-Za-z0-9]{24,}|xai-[A-Za-z0-9]{24,})/gu,
  /(?<![\w-])(?:do[opr]_v1_[a-f0-9]{24,}|fm[12]_[\w+/=]{24,}|SG\.[\w-]{16,}\.[\w-]{16,}|AGE-SECRET-KEY-1[A-Z0-9]{24,})/gu,
  // Airtable, Atlassian, Docker, Facebook, Figma, Grafana, Linear, Mailgun, Nostr, Notion, PlanetScale, PostHog, Render,
  // Replicate, Sentry, Shopify, Supabase, Tailscale, Vault.
  /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|(?<![\w-])ATATT3[\w=-]{20,}|(?<![\w-])dckr_pat_[\w-]{20,}/gu,
  /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{80,}|(?<![\w-])fig[dour]_[\w-]{30,}|(?<![\w-])glsa_[A-Za-z0-9]{24,}_[a-f0-9]{8}/gu,
  /(?<![\w-])lin_(?:api|oauth)_[A-Za-z0-9]{24,}|(?<![\w-])key-[a-f0-9]{32}(?![\w-])|(?<![A-Za-z0-9])nsec1[a-z0-9]{58}(?![a-z0-9])/gu,
  /(?<![\w-])(?:secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{30,}|pscale_(?:pw|tkn|oauth)_[\w.-]{24,}|phx_[A-Za-z0-9]{30,})/gu,
  /(?<![\w-])(?:rnd_[A-Za-z0-9]{24,}|r8_[A-Za-z0-9]{30,}|sntry[su]_[\w+/=-]{30,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})/gu,
  /(?<![\w-])(?:sbp_[a-f0-9]{40}|tskey-(?:auth|api|client)-[\w-]{12,}|hv[sbr]\.[\w-]{24,})/gu,
  // Brevo, Buildkite, Contentful, Databricks, Doppler, Heroku, LangSmith, Mailchimp, Neon, New Relic, Perplexity, Pinecone.
  /(?<![\w-])(?:xkeysib-[a-f0-9]{48,}[\w-]*|bkua_[a-f0-9]{40}|CFPAT-[\w-]{40,}|dapi[a-f0-9]{32}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{36,})/gu,
  /(?<![\w-])(?:HRKU-[\w-]{36,}|lsv2_(?:pt|sk)_[a-f0-9]{24,}\w*|[a-f0-9]{32}-us\d{1,2}(?![\w-])|napi_[a-z0-9]{40,})/gu,
  /(?<![\w-])(?:NR(?:AK|JS|II)-[A-Za-z0-9]{19,}|pplx-[A-Za-z0-9]{32,}|pcsk_\w{40,})/gu,
  // Postman, Pulumi, Resend, RubyGems, Sonar, Square, Tavily, Terraform, Together, Twilio.
  /(?<![\w-])(?:PMAK-[a-f0-9]{24}-[a-f0-9]{34}|pul-[a-f0-9]{40}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|rubygems_[a-f0-9]{48})/gu,
  /(?<![\w-])(?:sq[apu]_[a-f0-9]{40}|sq0(?:atp|csp)-[\w-]{22,}|tvly-[\w-]{20,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,})/gu,
  /(?<![\w-])(?:tgp_v1_[\w-]{40,}|SK[a-f0-9]{32}(?![\w-]))/gu,
  // Private keys in one line: Bitcoin's import format, and PuTTY's file.
  /(?<![A-Za-z0-9])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])|PuTTY-User-Key-File-\d[\s\S]{0,20000}/gu,
  /discord(?:app)?\.com\/api\/webhooks\/\d{1,20}\/[\w-]{8,}/giu,
  // On a command line: the password of curl, mysql and others.
  /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[\s=]["']?[^\s:"']{1,100}:(?<secret>[^\s"'[]{3,128})/giu,
  /\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,100}?\s-p(?<secret>[^\s"'[]{4,128})|\bsshpass\s{1,3}-p\s?["']?[^\s"'[]{4,128}/giu,
  /(?<![\w-])--pass(?:word|wd)?(?:=|\s{1,3}(?=[^\s\d]{0,64}\d))["']?(?<secret>[^\s"'[]{3,128})/giu,
  // Telegram bots.
  /(?<![\w-])\d{8,10}:[A-Za-z][\w-]{34}(?![\w-])/gu,
  // A URL with a password in it, of any scheme.
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@]{0,100}:(?!\[secret\]@)(?<secret>[^\s@/]{1,200})@(?=[\w[])/giu,
];
