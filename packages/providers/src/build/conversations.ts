import { anthropicUpstream } from '@tollgate/dialects/anthropic/codec'
import type { UpstreamDialect } from '@tollgate/dialects/canonical/codec'
import { geminiUpstream } from '@tollgate/dialects/gemini/codec'
import { responsesUpstream } from '@tollgate/dialects/responses/codec'
import type { Spoken } from '../provider.ts'
import { at, joinUrl, segment, type UrlWriter } from './url.ts'

type Way = Partial<Omit<Spoken, 'dialect' | 'codec' | 'url'>>

export interface PlacedWay extends Way {
  /** Below the base URL; the vendor's own path when absent. */
  readonly path?: string
  /** Instead of a path, where the destination depends on more. */
  readonly url?: UrlWriter
}

/** Conversations as Messages. */
export function anthropicMessages({ path = '/v1/messages', url = at(path), ...way }: PlacedWay = {}): Spoken {
  return spokenIn(anthropicUpstream, url, way)
}

/** Conversations as Responses. */
export function openaiResponses({ path = '/v1/responses', url = at(path), ...way }: PlacedWay = {}): Spoken {
  return spokenIn(responsesUpstream, url, way)
}

/** Conversations as `generateContent`; model and streaming are part of the address. */
export function geminiContent({ url = geminiUrl, ...way }: Omit<PlacedWay, 'path'> = {}): Spoken {
  return spokenIn(geminiUpstream, url, way)
}

function geminiUrl(outgoing: Parameters<UrlWriter>[0], { baseUrl }: Parameters<UrlWriter>[1]): string {
  return joinUrl(baseUrl, `/v1beta/models/${segment(outgoing.model)}:${geminiAction(outgoing)}`)
}

export function geminiAction({ isStream }: { readonly isStream: boolean }): string {
  return isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** Conversations in a format that only this vendor has. */
export function ownFormat(codec: Spoken['codec'], url: UrlWriter, way: Way = {}): Spoken {
  return { dialect: 'own', ...saidBy(codec, url, way) }
}

function spokenIn(codec: UpstreamDialect, url: UrlWriter, way: Way): Spoken {
  return { dialect: codec.name, ...saidBy(codec, url, way) }
}

function saidBy(codec: Spoken['codec'], url: UrlWriter, way: Way): Omit<Spoken, 'dialect'> {
  return { codec, url, quirks: [], readUsage: codec.readUsage, streamOptions: false, ...way }
}
