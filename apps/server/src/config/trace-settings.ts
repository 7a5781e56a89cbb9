import { flag, oneOf, plain, share, webAddress, whole } from './kinds.ts'
import type { Setting } from './kinds.ts'

/** A variable about all signals, and the one about traces alone, which wins. */
function exporter(name: string): { name: string; overriddenBy: string } {
  return { name: `OTEL_EXPORTER_OTLP_${name}`, overriddenBy: `OTEL_EXPORTER_OTLP_TRACES_${name}` }
}

/** The standard variables of OpenTelemetry that the gateway reads, and its own bound on traces. */
export const traceSettings = {
  otlpAddress: webAddress({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'Collector of OpenTelemetry that accepts OTLP over HTTP, for example http://collector:4318; traces go to /v1/traces. Empty: no traces.',
  }),
  otlpTracesAddress: webAddress({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    help: 'The complete URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT.',
  }),
  otlpProtocol: oneOf({
    ...exporter('PROTOCOL'),
    values: ['http/protobuf', 'http/json'],
    help: 'The form of what the collector gets; http/json costs the gateway more.',
  }),
  otlpHeaders: {
    ...plain({
      ...exporter('HEADERS'),
      default: '',
      allowed: 'name=value pairs, separated by commas, values percent-encoded',
      help: 'Headers for the collector, such as its credentials.',
    }),
    isSecret: true,
  },
  otlpCompression: oneOf({
    ...exporter('COMPRESSION'),
    values: ['none', 'gzip'],
    help: 'Compression of what the collector gets.',
  }),
  otlpTimeoutMs: whole({
    ...exporter('TIMEOUT'),
    default: 10_000,
    min: 100,
    max: 600_000,
    help: 'Milliseconds for a request to the collector, repetitions included.',
  }),
  otlpCertificate: plain({
    ...exporter('CERTIFICATE'),
    default: '',
    allowed: 'a file in PEM form',
    help: 'Certificates that are trusted when the collector shows its own. Empty: those of Node.',
  }),
  otlpClientCertificate: plain({
    ...exporter('CLIENT_CERTIFICATE'),
    default: '',
    allowed: 'a file in PEM form',
    help: 'The certificate that the gateway shows to the collector.',
  }),
  otlpClientKey: plain({
    ...exporter('CLIENT_KEY'),
    default: '',
    allowed: 'a file in PEM form',
    help: 'The private key of OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE.',
  }),
  spanDelayMs: whole({
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    default: 5_000,
    min: 10,
    max: 600_000,
    help: 'Milliseconds after which spans are sent at the latest.',
  }),
  spanQueueMax: whole({
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    default: 16_384,
    min: 1,
    max: 1_000_000,
    help: 'Spans that may wait for the collector, together at most 32 MiB. Further ones are lost.',
  }),
  spanBatchMax: whole({
    name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    default: 2_048,
    min: 1,
    max: 100_000,
    help: 'Spans of one request to the collector, which is sent earlier at 900 kB.',
  }),
  otelServiceName: plain({
    name: 'OTEL_SERVICE_NAME',
    default: '',
    allowed: 'a name',
    help: 'The name of this service in traces. Empty: service.name of OTEL_RESOURCE_ATTRIBUTES, or tollgate.',
  }),
  otelResourceAttributes: plain({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    default: '',
    allowed: 'name=value pairs, separated by commas, values percent-encoded',
    help: 'Attributes of this service in traces, for example deployment.environment.name=production.',
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
  tracesPerSecondMax: whole({
    name: 'TRACES_PER_SECOND',
    default: 100,
    min: 0,
    max: 1_000_000,
    help: 'Sampled calls that are traced a second, in each process; as many again that failed or needed a retry. 0: all.',
  }),
  isOtelOff: flag({ name: 'OTEL_SDK_DISABLED', default: false, help: 'Switches traces off.' }),
  tracesTexts: flag({
    name: 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    default: false,
    help: 'Adds texts of prompts and answers to traces, redacted, of calls whose texts the site keeps.',
  }),
} as const satisfies Record<string, Setting>
