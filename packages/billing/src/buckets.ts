import { noUsage, type Usage } from '@tollgate/dialects/usage'

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

/** What was used, without the many zeros and the upstream's raw object. */
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

/** Usage as it is stored with an entry; a bucket it does not name is zero. */
export function usageToJson(usage: Usage): string {
  return JSON.stringify(usedOf(usage))
}

/** The usage of a call that used nothing, as {@link usageToJson} writes it. */
export const noUsageJson = usageToJson(noUsage)
