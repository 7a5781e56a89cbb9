import { geminiUpstream } from '@tollgate/dialects/gemini/codec'
import { defaultGeminiOptions, versionFor } from '../gemini-options.ts'
import type { Endpoint } from '../provider.ts'
import type { OwnCodec } from './own-codec.ts'
import { at, joinUrl, segment, type UrlWriter } from './url.ts'

type EndpointOptions = Partial<Omit<Endpoint, 'dialect' | 'codec' | 'url'>>

export interface PlacedEndpoint extends EndpointOptions {
  /** Below the base URL; the vendor's own path when absent. */
  readonly path?: string
  /** Instead of a path, where the destination depends on more. */
  readonly url?: UrlWriter
}

/** Conversations as `generateContent`; model and streaming are part of the address. */
export function geminiContent({ url = geminiUrl, ...options }: Omit<PlacedEndpoint, 'path'> = {}): Endpoint {
  return { dialect: 'gemini', ...plain(url, options), readUsage: geminiUpstream.readUsage }
}

const geminiUrl: UrlWriter = (outgoing, upstream) =>
  geminiModelUrl(geminiAction(outgoing))(outgoing, upstream)

/** What a model does, in the version of the API that the operator chose for it. */
export function geminiModelUrl(action: string): UrlWriter {
  return ({ model, gemini = defaultGeminiOptions }, { baseUrl }) =>
    joinUrl(baseUrl, `/${versionFor(gemini, model)}/models/${segment(model)}:${action}`)
}

export function geminiAction({ isStream }: { readonly isStream: boolean }): string {
  return isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** Conversations in a format that only this vendor has. */
export function ownFormat(
  codec: OwnCodec,
  { path = '', url = at(path), ...options }: PlacedEndpoint,
): Endpoint {
  return { dialect: 'own', codec, ...plain(url, options), readUsage: codec.readUsage }
}

function plain(url: UrlWriter, options: EndpointOptions) {
  return { url, quirks: [], streamOptions: false, ...options }
}
