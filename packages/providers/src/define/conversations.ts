import { geminiUpstream } from '@tollgate/dialects/gemini/codec'
import { defaultGeminiOptions, versionFor } from '../gemini-options.ts'
import type { Endpoint } from '../provider.ts'
import type { VendorCodec } from './vendor-codec.ts'
import { at, joinUrl, segment, type UrlWriter } from './url.ts'

type EndpointOptions = Partial<Omit<Endpoint, 'dialect' | 'codec' | 'url'>>

export interface PlacedEndpoint extends EndpointOptions {
  /** A path below the base URL; the vendor's own path when absent. */
  readonly path?: string
  /** Replaces `path` where the URL depends on more than the base URL. */
  readonly url?: UrlWriter
}

/**
 * Declares an endpoint with Gemini's `generateContent`; the model and the streaming flag are part of the URL.
 */
export function geminiContent({ url = geminiUrl, ...options }: Omit<PlacedEndpoint, 'path'> = {}): Endpoint {
  return { dialect: 'gemini', ...plain(url, options), readUsage: geminiUpstream.readUsage }
}

const geminiUrl: UrlWriter = (outgoing, upstream) =>
  geminiModelUrl(geminiAction(outgoing))(outgoing, upstream)

/** Writes the URL of a model action, in the API version that the operator chose for the model. */
export function geminiModelUrl(action: string): UrlWriter {
  return ({ model, gemini = defaultGeminiOptions }, { baseUrl }) =>
    joinUrl(baseUrl, `/${versionFor(gemini, model)}/models/${segment(model)}:${action}`)
}

export function geminiAction({ isStream }: { readonly isStream: boolean }): string {
  return isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** Declares an endpoint with a conversation format that only this vendor has. */
export function vendorFormat(
  codec: VendorCodec,
  { path = '', url = at(path), ...options }: PlacedEndpoint,
): Endpoint {
  return { dialect: 'own', codec, ...plain(url, options), readUsage: codec.readUsage }
}

function plain(url: UrlWriter, options: EndpointOptions) {
  return { url, quirks: [], streamOptions: false, ...options }
}
