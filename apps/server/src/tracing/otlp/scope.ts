import type { Config } from '../../config/index.ts'
import { version } from '../../version.ts'
import { pairsOf } from './pairs-of.ts'

/** What all spans of this process have in common. */
export interface Scope {
  readonly name: string
  readonly version: string
  /** Of the resource: service, SDK and what OTEL_RESOURCE_ATTRIBUTES adds. */
  readonly attributes: Readonly<Record<string, string>>
}

export function scopeOf(config: Pick<Config, 'otelServiceName' | 'otelResourceAttributes'>): Scope {
  const given = pairsOf(config.otelResourceAttributes)
  const name = config.otelServiceName === '' ? (given['service.name'] ?? 'tollgate') : config.otelServiceName
  return {
    name: 'tollgate',
    version,
    attributes: {
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'tollgate',
      'telemetry.sdk.version': version,
      'service.version': version,
      ...given,
      'service.name': name,
    },
  }
}
