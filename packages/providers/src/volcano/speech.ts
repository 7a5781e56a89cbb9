import { randomUUID } from 'node:crypto'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import { isRecord, recordAt, textAt } from '@tollgate/dialects/json'
import type { AudioExtractor } from '@tollgate/dialects/media/answer'
import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import { keyPart } from '../define/credentials.ts'
import { openaiSpeech } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import type { Outgoing, Endpoint, Upstream } from '../provider.ts'

export const ARK_URL = 'https://ark.cn-beijing.volces.com'
const SPEECH_URL = 'https://openspeech.bytedance.com/api/v1/tts'

/**
 * Speech from the vendor's own service in one response, with a key `appid|access_token`. At any other base
 * URL than the vendor's, the OpenAI speech API is called. https://www.volcengine.com/docs/6561/1257584
 */
export const volcanoSpeech: Endpoint = openaiSpeech({
  url: (_outgoing, upstream) =>
    isVendors(upstream) ? SPEECH_URL : joinUrl(upstream.baseUrl, '/v1/audio/speech'),
  authHeaders: (upstream) => ({
    authorization: isVendors(upstream) ? `Bearer;${keyPart(upstream.key, 1)}` : `Bearer ${upstream.key}`,
  }),
  quirks: [(outgoing, upstream) => (isVendors(upstream) ? written(outgoing, upstream) : outgoing)],
  extractAudio: soundIn,
  errorInside: (answer) => {
    const { code } = answer
    if (code === undefined || code === DONE) return undefined
    return textAt(answer, 'message') ?? 'the upstream reported a failure'
  },
})

function isVendors({ baseUrl }: Upstream): boolean {
  return baseUrl === ARK_URL
}

const DONE = 3000
const RATE = 24_000
const USER = 'gateway'

const ENCODINGS: Readonly<Record<string, string>> = { opus: 'ogg_opus', wav: 'wav', pcm: 'pcm' }

/** The vendor's voices that are nearest to OpenAI's. */
const VOICES: Readonly<Record<string, string>> = {
  alloy: 'zh_male_M392_conversation_wvae_bigtts',
  echo: 'zh_male_wenhao_mars_bigtts',
  fable: 'zh_female_tianmei_mars_bigtts',
  onyx: 'zh_male_zhibei_mars_bigtts',
  nova: 'zh_female_shuangkuaisisi_mars_bigtts',
  shimmer: 'zh_female_cancan_mars_bigtts',
}

/**
 * `metadata` may add to `audio` and `request`, but cannot change the text, the model or the account, which
 * determine the charge.
 */
function written(outgoing: Outgoing, { key }: Upstream): Outgoing {
  const token = keyPart(key, 1)
  if (token === '') throw problem('channel_key_invalid', { hint: 'appid|access_token' })
  const { body, model } = outgoing
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {}
  const voice = textAt(body, 'voice') ?? ''
  const encoding = ENCODINGS[textAt(body, 'response_format') ?? ''] ?? 'mp3'
  const speed = body['speed']
  const sound = {
    voice_type: ownValue(VOICES, voice) ?? voice,
    encoding,
    rate: RATE,
    speed_ratio: speed,
  }
  const order = { reqid: randomUUID(), text: body['input'], operation: 'query', model }
  return {
    ...outgoing,
    body: {
      app: { appid: keyPart(key, 0), token, cluster: 'volcano_tts' },
      user: { uid: USER },
      audio: { ...sound, ...recordAt(metadata, 'audio') },
      request: { ...recordAt(metadata, 'request'), ...order },
    },
  }
}

function soundIn(answer: Readonly<Record<string, unknown>>): ReturnType<AudioExtractor> {
  const text = textAt(answer, 'data')
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Raw PCM has no signature by which its type could be detected.
  return bytes.length === 0 ? undefined : { bytes, type: mediaTypeOf(bytes) ?? 'audio/pcm' }
}
