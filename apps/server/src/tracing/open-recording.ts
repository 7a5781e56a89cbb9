import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { Config } from '../config/index.ts'
import type { Call } from '../relay/call.ts'
import type { Log } from '../relay/log.ts'
import type { CallTrace, Tracing } from '../relay/tracing.ts'
import { version } from '../version.ts'
import { parentOf } from './parent-of.ts'
import { quietExporter } from './quiet-exporter.ts'
import { RecordedTrace } from './recorded-trace.ts'

/** How long a shutdown waits for a collector that does not answer. */
const CLOSE_MS = 3_000

type TraceConfig = Pick<
  Config,
  'otlpHeaders' | 'otelServiceName' | 'tracesSampler' | 'tracesSamplerShare' | 'tracesTexts'
>

/** Records the spans of sampled calls and sends them to the collector at this address. */
export function openRecording(address: string, config: TraceConfig, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({ url: address, headers: headersOf(config.otlpHeaders) })
  const ours = { 'service.name': config.otelServiceName, 'service.version': version }
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(ours)),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor(quietExporter(exporter, log))],
  })
  const tracer = provider.getTracer('tollgate', version)
  const traces = new WeakMap<Call, CallTrace>()
  return {
    begin: (call) => {
      const span = tracer.startSpan(
        'call',
        { kind: SpanKind.SERVER, startTime: call.startedMs },
        parentOf(call.request.headers),
      )
      if (!span.isRecording()) return
      traces.set(call, new RecordedTrace({ call, span, tracer, keepsTexts: config.tracesTexts, log }))
    },
    of: (call) => traces.get(call),
    close: () =>
      Promise.race([provider.shutdown(), sleep(CLOSE_MS, undefined, { ref: false })]).catch(
        (error: unknown) => log.warn({ error }, 'could not send the last traces'),
      ),
  }
}

function samplerOf({ tracesSampler, tracesSamplerShare }: TraceConfig): Sampler {
  const root = tracesSampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : tracesSampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(tracesSamplerShare)
  return tracesSampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}

/** `name=value` pairs; a value is percent-encoded. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
