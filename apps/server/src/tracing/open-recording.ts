import { readFileSync } from 'node:fs'
import type { Config } from '../config/index.ts'
import type { Log } from '../relay/log.ts'
import type { Tracing } from '../relay/tracing.ts'
import { version } from '../version.ts'
import { openCollector } from './export/collector.ts'
import { LossLog } from './export/loss-log.ts'
import { SpanQueue } from './export/span-queue.ts'
import { JsonBatch } from './otlp/json-batch.ts'
import { pairsOf } from './otlp/pairs-of.ts'
import { ProtobufBatch } from './otlp/protobuf-batch.ts'
import { scopeOf } from './otlp/scope.ts'
import { SpanTemplates } from './otlp/span-templates.ts'
import { PendingTrace } from './pending-trace.ts'
import { RecordedTrace } from './recorded-trace.ts'
import { samplerOf } from './sampler.ts'
import { CallIds, remoteParent } from './trace-ids.ts'
import { TraceLimit } from './trace-limit.ts'

/** Some services that accept OTLP refuse larger requests than 1 MB. */
const BATCH_BYTES_MAX = 900_000
const QUEUE_BYTES_MAX = 32 * 1024 * 1024

/** Records the spans of sampled calls and sends them to the collector at this address. */
export function openRecording(address: string, config: Config, log: Log): Tracing {
  const queue = new SpanQueue({
    newBatch: batchesOf(config),
    collector: openCollector({
      url: address,
      headers: pairsOf(config.otlpHeaders),
      isCompressed: config.otlpCompression === 'gzip',
      timeoutMs: config.otlpTimeoutMs,
      tls: {
        ca: fileText(config.otlpCertificate),
        cert: fileText(config.otlpClientCertificate),
        key: fileText(config.otlpClientKey),
      },
      userAgent: `tollgate/${version}`,
    }),
    losses: new LossLog(log, () => performance.now()),
    limits: {
      batchSpansMax: config.spanBatchMax,
      queueSpansMax: config.spanQueueMax,
      batchBytesMax: BATCH_BYTES_MAX,
      queueBytesMax: QUEUE_BYTES_MAX,
      delayMs: config.spanDelayMs,
    },
  })
  const isSampled = samplerOf(config)
  const ordinary = new TraceLimit(config.tracesPerSecondMax)
  const troubled = new TraceLimit(config.tracesPerSecondMax)
  const shared = { queue, troubled, keepsTexts: config.tracesTexts, log }
  return {
    begin: (call) => {
      const ids = new CallIds(remoteParent(call.request.headers))
      if (!isSampled(ids)) return
      call.trace = ordinary.take(call.startedAt)
        ? new RecordedTrace(call, { ids: ids.ids, isSampled: true }, shared)
        : new PendingTrace(call, ids, shared)
    },
    of: ({ trace }) => (trace instanceof RecordedTrace || trace instanceof PendingTrace ? trace : undefined),
    close: () => queue.close(),
  }
}

function batchesOf(config: Config): () => ProtobufBatch | JsonBatch {
  const scope = scopeOf(config)
  if (config.otlpProtocol === 'http/json') return () => new JsonBatch(scope)
  const templates = new SpanTemplates()
  return () => new ProtobufBatch(scope, templates)
}

function fileText(path: string): string | undefined {
  return path === '' ? undefined : readFileSync(path, 'utf8')
}
