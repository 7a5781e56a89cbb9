import { ownValue } from '@tollgate/kit/own-value'

interface Place {
  readonly path: string
  readonly domain: string
}

/** The path and the domain of each model generation. https://www.xfyun.cn/doc/spark/Web.html */
const places: Readonly<Record<string, Place>> = {
  'v1.1': { path: '/v1.1/chat', domain: 'lite' },
  'v2.1': { path: '/v2.1/chat', domain: 'generalv2' },
  'v3.1': { path: '/v3.1/chat', domain: 'generalv3' },
  'v3.5': { path: '/v3.5/chat', domain: 'generalv3.5' },
  'v4.0': { path: '/v4.0/chat', domain: '4.0Ultra' },
  'pro-128k': { path: '/chat/pro-128k', domain: 'pro-128k' },
  'max-32k': { path: '/chat/max-32k', domain: 'max-32k' },
}

const OLDEST = 'v1.1'

/**
 * Finds the generation by the model (`SparkDesk-v3.5`, `4.0Ultra`, `max-32k`), otherwise by the channel's
 * `other` field, otherwise the oldest one.
 */
export function sparkPlace(model: string, other: string): Place {
  const byDomain = Object.values(places).find(({ domain }) => domain === model)
  if (byDomain !== undefined) return byDomain
  const version = /^[^-]+-(v\d+(?:\.\d+)?|pro-128k|max-32k)$/i.exec(model)?.[1]?.toLowerCase()
  return placeOf(version ?? (other.trim() || OLDEST))
}

function placeOf(version: string): Place {
  return ownValue(places, version) ?? { path: `/${version}/chat`, domain: `general${version}` }
}
