import { isRecord } from '@tollgate/dialects/json'
import { anthropic } from '../anthropic.ts'
import { anthropicMessages, writeBetaHeader } from '../define/anthropic.ts'
import { geminiAction, geminiContent } from '../define/conversations.ts'
import { defineProvider } from '../define/define-provider.ts'
import { openaiChat, openaiEmbeddings } from '../define/openai.ts'
import { segment } from '../define/url.ts'
import { gemini } from '../gemini/index.ts'
import { imagenAt } from '../gemini/imagen.ts'
import { fitClaudeHost } from '../fit/claude-members.ts'
import { geminiPictures } from '../gemini/pictures.ts'
import type { Provider, Upstream } from '../provider.ts'
import { omit, onBody, type Body } from '../quirks/body.ts'
import { claudeSearches } from '../quirks/claude-searches.ts'
import { claudeThinking } from '../quirks/claude-thinking.ts'
import { geminiImageOutput } from '../quirks/gemini-image-output.ts'
import { geminiSafety } from '../quirks/gemini-safety.ts'
import { geminiSignatures } from '../quirks/gemini-signatures.ts'
import { geminiThinking } from '../quirks/gemini-thinking.ts'
import { googleTokens } from '../sign/google-token.ts'
import { readPredictions, writeInstances } from './embeddings.ts'
import { claudeName, isApiKey, projectOf, VERTEX_URL, vertexUrl } from './place.ts'
import { vertexVeo } from './veo.ts'

const CLAUDE = /^claude/
const EMBEDDING = /embedding/i
const OPEN = /llama|-maas/

function signed({ key, accessToken = '' }: Upstream): Record<string, string> {
  if (isApiKey(key)) return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${accessToken}`, 'x-goog-user-project': projectOf(key) }
}

const drawing = geminiPictures(
  vertexUrl(({ model }) => `publishers/google/models/${segment(model)}:generateContent`),
)

/**
 * The project is part of the key.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export const vertex: Provider = defineProvider({
  id: 'vertex',
  type: 41,
  label: 'Vertex AI',
  address: {
    help: {
      en: 'Everything before /v1/projects. The usual address becomes the one of the region.',
      zh: '/v1/projects 之前的部分。使用默认地址时，会换成所选区域的地址。',
    },
  },
  baseUrl: VERTEX_URL,
  credentials: {
    hint: 'service account JSON, or an API key',
    check: (key) => void (isApiKey(key) || projectOf(key)),
  },
  forChannel: ({ key }) => (isApiKey(key) ? express : vertex),
  other: { label: { en: 'Region', zh: '区域' }, isByModel: true },
  tokens: googleTokens,
  authHeaders: signed,
  endpoints: {
    messages: [
      anthropicMessages({
        models: CLAUDE,
        url: vertexUrl(
          ({ model, isStream }) =>
            `publishers/anthropic/models/${segment(claudeName(model)).replace('%40', '@')}:${isStream ? 'streamRawPredict?alt=sse' : 'rawPredict'}`,
        ),
        quirks: [
          ...claudeThinking,
          claudeSearches,
          fitClaudeHost('vertex'),
          onBody((body) => ({ ...omit(body, 'model'), anthropic_version: 'vertex-2023-10-16' })),
        ],
        authHeaders: (upstream, outgoing) => ({ ...signed(upstream), ...writeBetaHeader(outgoing) }),
        fetchesUrls: false,
      }),
    ],
    chat: [
      openaiChat({ models: OPEN, url: vertexUrl(() => 'endpoints/openapi/chat/completions', 'v1beta1') }),
    ],
    embeddings: [
      openaiEmbeddings({
        models: EMBEDDING,
        url: vertexUrl(({ model }) => `publishers/google/models/${segment(model)}:predict`),
        quirks: [onBody(writeInstances)],
        adjustAnswer: readPredictions,
      }),
    ],
    'image-edits': [drawing],
    images: [
      drawing,
      imagenAt(vertexUrl(({ model }) => `publishers/google/models/${segment(model)}:predict`)),
    ],
    generate: [
      geminiContent({
        models: /^(?!claude)(?!.*(?:llama|-maas))/,
        url: vertexUrl(
          (outgoing) => `publishers/google/models/${segment(outgoing.model)}:${geminiAction(outgoing)}`,
        ),
        quirks: [geminiThinking, geminiImageOutput, geminiSafety, geminiSignatures, onBody(withoutCallIds)],
      }),
    ],
  },
  tasks: vertexVeo,
  models: ['meta/llama3-405b-instruct-maas', ...anthropic.models, ...gemini.models],
})

const { chat: _openModels, ...expressSpeaks } = vertex.endpoints
const { tokens: _tokens, ...rest } = vertex

/**
 * Vertex AI in express mode, with an API key.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/overview
 */
const express = defineProvider({
  ...rest,
  endpoints: expressSpeaks,
})

/** This API matches tool calls and results by their order and refuses ids. */
function withoutCallIds(body: Body): Body {
  const contents: unknown = body['contents']
  return Array.isArray(contents) ? { ...body, contents: contents.map(withoutIds) } : body
}

function withoutIds(content: unknown): unknown {
  if (!isRecord(content) || !Array.isArray(content['parts'])) return content
  return { ...content, parts: content['parts'].map(withoutId) }
}

function withoutId(part: unknown): unknown {
  if (!isRecord(part)) return part
  const name = ['functionCall', 'functionResponse'].find((each) => isRecord(part[each]))
  const inner = name === undefined ? undefined : part[name]
  return name !== undefined && isRecord(inner) ? { ...part, [name]: omit(inner, 'id') } : part
}
