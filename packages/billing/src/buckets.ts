import { noUsage, type Usage } from '@tollgate/dialects/usage'

/** For the console, which may import billing but no dialect. */
export { noUsage, type Usage }

/** The token buckets of a usage, in the order a receipt shows them. */
export const buckets = [
  'inputText',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'inputImage',
  'inputAudio',
  'outputText',
  'outputAudio',
  'outputImage',
] as const satisfies readonly (keyof Usage)[]

export type Bucket = (typeof buckets)[number]

export function eachBucket<T>(read: (bucket: Bucket) => T): Record<Bucket, T> {
  return {
    inputText: read('inputText'),
    cacheRead: read('cacheRead'),
    cacheWrite5m: read('cacheWrite5m'),
    cacheWrite1h: read('cacheWrite1h'),
    inputImage: read('inputImage'),
    inputAudio: read('inputAudio'),
    outputText: read('outputText'),
    outputAudio: read('outputAudio'),
    outputImage: read('outputImage'),
  }
}

/** The member of a context tier that multiplies the price of this bucket. */
export function factorOn(bucket: Bucket): 'input' | 'output' | 'cache' {
  if (bucket.startsWith('output')) return 'output'
  return bucket.startsWith('cache') ? 'cache' : 'input'
}

/** The usage without its zero counts and without the upstream's raw usage object. */
export function usedOf(usage: Usage): Partial<Usage> {
  const used: { -readonly [Key in keyof Usage]?: Usage[Key] } = {}
  for (const bucket of buckets) if (usage[bucket] > 0) used[bucket] = usage[bucket]
  if (usage.images !== undefined) used.images = usage.images
  if (usage.turns !== undefined) used.turns = usage.turns
  if (usage.seconds !== undefined) used.seconds = usage.seconds
  if (usage.reasoning !== undefined) used.reasoning = usage.reasoning
  if (usage.toolCalls !== undefined) used.toolCalls = usage.toolCalls
  if (usage.serviceTier !== undefined) used.serviceTier = usage.serviceTier
  return used
}

/** A part of a stored usage: what another model, or another step of the call, used. */
export type StoredPart = Partial<Usage> & {
  readonly kind: string
  readonly model?: string
  /** Content hash of the price, where it is not that of the entry. */
  readonly price?: string
}

/** Serialises usage for an entry. Buckets with a count of zero are left out. */
export function usageToJson(usage: Usage, parts: readonly StoredPart[] = []): string {
  return JSON.stringify(parts.length === 0 ? usedOf(usage) : { ...usedOf(usage), parts })
}

/** JSON of an empty usage, in the format of {@link usageToJson}. */
export const noUsageJson = usageToJson(noUsage)
