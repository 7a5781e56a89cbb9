import type { Config } from '../config/index.ts'
import type { Log } from '../relay/log.ts'
import type { Tracing } from '../relay/tracing.ts'

/** Opens tracing if a collector is configured. The packages of OpenTelemetry are loaded only then. */
export async function openTracing(config: Config, log: Log): Promise<Tracing | undefined> {
  const { otlpAddress, otlpTracesAddress, isOtelOff } = config
  const address = otlpTracesAddress ?? (otlpAddress === undefined ? undefined : `${otlpAddress}/v1/traces`)
  if (address === undefined || isOtelOff) return undefined
  // Not the packages themselves: in the bundle, a dynamic import of one of them lacks its named exports.
  const { openRecording } = await import('./open-recording.ts')
  return openRecording(address, config, log)
}
