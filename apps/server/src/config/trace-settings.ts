import { flag, oneOf, plain, share, webAddress } from './kinds.ts'
import type { Setting } from './kinds.ts'

/** The standard variables of OpenTelemetry that the gateway reads; the SDK reads those about its queue itself. */
export const traceSettings = {
  otlpAddress: webAddress({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'Collector of OpenTelemetry that accepts OTLP over HTTP, for example http://collector:4318; traces go to /v1/traces. Empty: no traces.',
  }),
  otlpTracesAddress: webAddress({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    help: 'The complete URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT.',
  }),
  otlpHeaders: {
    ...plain({
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      default: '',
      allowed: 'name=value pairs, separated by commas, values percent-encoded',
      help: 'Headers for the collector, such as its credentials.',
    }),
    isSecret: true,
  },
  otelServiceName: plain({
    name: 'OTEL_SERVICE_NAME',
    default: 'tollgate',
    allowed: 'a name',
    help: 'The name of this service in traces.',
  }),
  tracesSampler: oneOf({
    name: 'OTEL_TRACES_SAMPLER',
    values: [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ],
    help: 'Which calls are traced. parentbased: a caller decides with the header traceparent.',
  }),
  tracesSamplerShare: share({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: 1,
    help: 'The traced share of calls, for the samplers with traceidratio.',
  }),
  isOtelOff: flag({ name: 'OTEL_SDK_DISABLED', default: false, help: 'Switches traces off.' }),
  tracesTexts: flag({
    name: 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    default: false,
    help: 'Adds texts of prompts and answers to traces, redacted, of calls whose texts the site keeps.',
  }),
} as const satisfies Record<string, Setting>
