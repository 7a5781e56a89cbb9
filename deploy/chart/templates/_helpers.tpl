{{- define "tollgate.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tollgate.secretName" -}}
{{- .Values.secret.existing | default (include "tollgate.fullname" .) -}}
{{- end -}}

{{/* Members of the Secret that the chart makes, as YAML; empty with an existing Secret or without any value. */}}
{{- define "tollgate.secretData" -}}
{{- if not .Values.secret.existing -}}
{{- with .Values.database.dsn }}
SQL_DSN: {{ . | quote }}
{{- end }}
{{- with .Values.redis.url }}
REDIS_CONN_STRING: {{ . | quote }}
{{- end }}
{{- with .Values.secret.sessionSecret }}
SESSION_SECRET: {{ . | quote }}
{{- end }}
{{- with .Values.secret.cryptoSecret }}
CRYPTO_SECRET: {{ . | quote }}
{{- end }}
{{- with .Values.secret.setupToken }}
SETUP_TOKEN: {{ . | quote }}
{{- end }}
{{- with .Values.secret.metricsToken }}
METRICS_TOKEN: {{ . | quote }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "tollgate.config" -}}
TRUSTED_PROXIES: {{ .Values.trustedProxies | quote }}
DRAIN_SECONDS: {{ .Values.stop.drainSeconds | int | quote }}
DRAIN_NOTICE_SECONDS: {{ .Values.stop.noticeSeconds | int | quote }}
LOG_FORMAT: {{ .Values.settings.LOG_FORMAT | default "json" | quote }}
{{- range $name, $value := omit .Values.settings "LOG_FORMAT" }}
{{ $name }}: {{ if kindIs "float64" $value }}{{ $value | toJson | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- end -}}

{{/* Rules between values, which the schema of values.yaml cannot explain. */}}
{{- define "tollgate.check" -}}
{{- $isServer := eq .Values.database.kind "server" -}}
{{- $existing := .Values.secret.existing -}}
{{- if and (gt (int .Values.replicas) 1) (not $isServer) -}}
{{- fail (printf "replicas is %d, and the embedded database allows 1: set database.kind to server for several gateways" (int .Values.replicas)) -}}
{{- end -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.redis.enabled) -}}
{{- fail (printf "replicas is %d, and several gateways need Redis: set redis.enabled and redis.url" (int .Values.replicas)) -}}
{{- end -}}
{{- if and (not $isServer) .Values.database.dsn -}}
{{- fail "database.dsn is set, and database.kind is embedded: set database.kind to server" -}}
{{- end -}}
{{- if and .Values.redis.url (not .Values.redis.enabled) -}}
{{- fail "redis.url is set, and redis.enabled is false: set redis.enabled to true" -}}
{{- end -}}
{{- if $existing -}}
{{- range $name, $value := dict "database.dsn" .Values.database.dsn "redis.url" .Values.redis.url "secret.sessionSecret" .Values.secret.sessionSecret "secret.cryptoSecret" .Values.secret.cryptoSecret "secret.setupToken" .Values.secret.setupToken "secret.metricsToken" .Values.secret.metricsToken -}}
{{- if $value -}}
{{- fail (printf "%s is set, and secret.existing names a Secret that should have it: set one of both" $name) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- if and $isServer (not .Values.database.dsn) -}}
{{- fail "database.kind is server, and database.dsn is empty: set it, or name a Secret with SQL_DSN in secret.existing" -}}
{{- end -}}
{{- if and .Values.redis.enabled (not .Values.redis.url) -}}
{{- fail "redis.enabled is true, and redis.url is empty: set it, or name a Secret with REDIS_CONN_STRING in secret.existing" -}}
{{- end -}}
{{- if and $isServer (not (and .Values.secret.sessionSecret .Values.secret.cryptoSecret)) -}}
{{- fail "a database server needs secret.sessionSecret and secret.cryptoSecret, or a Secret with both in secret.existing" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not .Values.secret.metricsToken) -}}
{{- fail "serviceMonitor.enabled needs secret.metricsToken, or a Secret with METRICS_TOKEN in secret.existing" -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := dict "SQL_DSN" "database.dsn" "REDIS_CONN_STRING" "redis.url" "SESSION_SECRET" "secret.sessionSecret" "CRYPTO_SECRET" "secret.cryptoSecret" "SETUP_TOKEN" "secret.setupToken" "METRICS_TOKEN" "secret.metricsToken" "TRUSTED_PROXIES" "trustedProxies" "DRAIN_SECONDS" "stop.drainSeconds" "DRAIN_NOTICE_SECONDS" "stop.noticeSeconds" -}}
{{- if hasKey $.Values.settings $name -}}
{{- fail (printf "settings.%s: set %s instead" $name $value) -}}
{{- end -}}
{{- end -}}
{{- range list "PORT" "SQLITE_PATH" "NODE_TYPE" -}}
{{- if hasKey $.Values.settings . -}}
{{- fail (printf "settings.%s: the chart needs its own value" .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.enabled needs at least one name in ingress.hosts" -}}
{{- end -}}
{{- end -}}
