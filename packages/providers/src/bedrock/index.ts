import { anthropicMessages } from '../define/anthropic.ts'
import { bedrockId, bedrockModels } from './models.ts'
import { vendorFormat } from '../define/conversations.ts'
import { keyPart, keyParts } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { bedrockFrames } from '../define/frames.ts'
import { converseChat } from '../converse/codec.ts'
import { joinUrl, segment, type UrlWriter } from '../define/url.ts'
import type { Outgoing } from '../provider.ts'
import { omit } from '../quirks/body.ts'
import { claudeSearches } from '../quirks/claude-searches.ts'
import { claudeThinking } from '../quirks/claude-thinking.ts'
import { sigV4Headers } from '../sign/sigv4.ts'
import { fitClaudeHost, readBetas } from '../fit/claude-members.ts'

const DEFAULT_URL = 'https://bedrock-runtime.us-east-1.amazonaws.com'

/**
 * Claude models are called in their own format, all other models with Converse, the format that every Bedrock
 * model supports.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrock = defineProvider({
  id: 'bedrock',
  type: 33,
  label: 'AWS Claude',
  address: {
    help: {
      en: 'Everything before /model. The usual address becomes the one of the key’s region.',
      zh: '/model 之前的部分。使用默认地址时，会换成密钥所在区域的地址。',
    },
  },
  baseUrl: DEFAULT_URL,
  credentials: keyParts('AccessKey|SecretKey|Region', 2, 3),
  authHeaders: ({ key }, { isStream }) => ({
    accept: isStream ? 'application/vnd.amazon.eventstream' : 'application/json',
    ...(isApiKey(key) ? { authorization: `Bearer ${keyPart(key, 0)}` } : {}),
  }),
  signRequest: ({ url, body }, { key }, nowMs) =>
    isApiKey(key)
      ? {}
      : sigV4Headers({
          accessKey: keyPart(key, 0),
          secretKey: keyPart(key, 1),
          region: regionOf(key),
          service: 'bedrock',
          method: 'POST',
          url: new URL(url),
          headers: { 'content-type': 'application/json' },
          body,
          nowMs,
        }),
  endpoints: {
    messages: [
      anthropicMessages({
        models: /claude/i,
        url: actionUrl('invoke', 'invoke-with-response-stream'),
        quirks: [...claudeThinking, claudeSearches, fitClaudeHost('bedrock'), asInvoked],
        openFrames: bedrockFrames,
        fetchesUrls: false,
      }),
    ],
    own: [
      vendorFormat(converseChat, {
        models: /^(?!.*claude)/i,
        url: actionUrl('converse', 'converse-stream'),
        openFrames: bedrockFrames,
      }),
    ],
  },
  models: bedrockModels,
})

/** A key is either `ApiKey|Region`, or an access key, its secret and the region. */
function isApiKey(key: string): boolean {
  return key.split('|').length === 2
}

function regionOf(key: string): string {
  return keyPart(key, isApiKey(key) ? 1 : 2)
}

function actionUrl(whole: string, streamed: string): UrlWriter {
  return ({ model, isStream }, { baseUrl, key }) => {
    const region = regionOf(key)
    const base = baseUrl === DEFAULT_URL ? `https://bedrock-runtime.${region}.amazonaws.com` : baseUrl
    return joinUrl(base, `/model/${segment(bedrockId(model, region))}/${isStream ? streamed : whole}`)
  }
}

/** Bedrock takes the model and the streaming flag from the URL, and betas from the body instead of a header. */
function asInvoked(outgoing: Outgoing): Outgoing {
  const betas = readBetas(outgoing)
  const body = { ...omit(outgoing.body, 'model', 'stream'), anthropic_version: 'bedrock-2023-05-31' }
  return { ...outgoing, body: betas.length === 0 ? body : { ...body, anthropic_beta: betas } }
}
