import type { Config } from '../config/index.ts'
import type { Log } from '../relay/log.ts'
import type { Tracing } from '../relay/tracing.ts'

/** Opens tracing if a collector is configured. */
export async function openTracing(config: Config, log: Log): Promise<Tracing | undefined> {
  const { otlpAddress, otlpTracesAddress, isOtelOff } = config
  const address = otlpTracesAddress ?? (otlpAddress === undefined ? undefined : `${otlpAddress}/v1/traces`)
  if (address === undefined || isOtelOff) return undefined
  // Loaded only when calls are traced.
  const { openRecording } = await import('./open-recording.ts')
  return openRecording(address, config, log)
}
