import type { Translate } from '../../shared/i18n/messages.ts'
import type { PricingKey } from './i18n/index.ts'

const known: ReadonlyMap<string, PricingKey> = new Map([
  ['chat', 'endpoint.chat'],
  ['completions', 'endpoint.completions'],
  ['responses', 'endpoint.responses'],
  ['messages', 'endpoint.messages'],
  ['generate', 'endpoint.generate'],
  ['embeddings', 'endpoint.embeddings'],
  ['moderations', 'endpoint.moderations'],
  ['images', 'endpoint.images'],
  ['image-edits', 'endpoint.imageEdits'],
  ['image-variations', 'endpoint.imageVariations'],
  ['speech', 'endpoint.speech'],
  ['transcriptions', 'endpoint.transcriptions'],
  ['translations', 'endpoint.translations'],
  ['rerank', 'endpoint.rerank'],
  ['realtime', 'endpoint.realtime'],
  ['videos', 'endpoint.videos'],
  ['midjourney', 'endpoint.midjourney'],
  ['suno', 'endpoint.suno'],
])

export const endpointNames: readonly string[] = [...known.keys()]

/** The label of an endpoint; one without a label is shown by its own name. */
export function endpointLabel(endpoint: string, t: Translate<PricingKey>): string {
  const key = known.get(endpoint)
  return key === undefined ? endpoint : t(key)
}
