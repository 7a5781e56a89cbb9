import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { expect, test } from 'vitest'
import { quietExporter } from './quiet-exporter.ts'

test('a collector that is down costs one log line a minute, and no error', async () => {
  const lines: unknown[] = []
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (fields: object) => void lines.push(fields),
  }
  const broken: SpanExporter = {
    export: (_spans, done) => done({ code: 1, error: new Error('refused') }),
    shutdown: async () => undefined,
  }
  const exporter = quietExporter(broken, log)
  const results: number[] = []
  for (let tries = 0; tries < 5; tries++) exporter.export([], ({ code }) => results.push(code))
  await exporter.forceFlush?.()
  expect(results).toEqual([0, 0, 0, 0, 0])
  expect(lines).toEqual([{ lost: 0, reason: 'refused' }])
})
