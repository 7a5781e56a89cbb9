import type { CallerDialect, ListedModel, ModelPage, UpstreamDialect } from '../canonical/codec.ts'
import type { FeatureLimits } from '../canonical/feature.ts'
import { GEMINI_TOOL_NAME } from '../canonical/tool-name.ts'
import type { JsonObject } from '../json.ts'
import { readGeminiError, writeGeminiError } from './error.ts'
import { readConversation } from './read-conversation.ts'
import { readReply } from './read-reply.ts'
import { GeminiStreamReader } from './read-stream.ts'
import { readGeminiUsage } from './usage.ts'
import { writeReply } from './write-reply.ts'
import { writeRequest } from './write-request.ts'
import { GeminiStreamWriter, type Framing } from './write-stream.ts'

/**
 * Caller dialect of `generateContent` and `streamGenerateContent`; without `alt=sse` a stream is a single
 * JSON list.
 */
export function geminiCaller(framing: Framing): CallerDialect {
  return {
    name: 'gemini',
    readConversation,
    writeReply,
    openWriter: (context) => new GeminiStreamWriter(context, framing),
    writeError: writeGeminiError,
    writeModels,
    // In a JSON list the keep-alive is white space between items; in server-sent events it is a comment.
    streamType: framing === 'array' ? 'application/json; charset=utf-8' : undefined,
    // Google's clients for Python and Go fail on comments.
    keepAlive: framing === 'array' ? Buffer.from(' ') : undefined,
  }
}

const limits: FeatureLimits = {
  'custom-tools': { does: 'convert', because: 'to functions with one text parameter' },
  'logit-bias': { does: 'refuse', because: 'there is no such parameter' },
  'search-sites': { does: 'refuse', because: 'searches cannot be limited to sites' },
  'search-blocks': { does: 'refuse', because: 'searches cannot be limited to sites' },
  'other-builtins': { does: 'refuse', because: 'only that vendor runs them' },
  'strict-tools': { does: 'drop', because: 'arguments follow a schema closely anyway' },
  'image-detail': { does: 'drop', because: 'it is set for the whole call' },
  citations: { does: 'drop', because: 'there is no such parameter' },
  'search-size': { does: 'drop', because: 'there is no such parameter' },
  'search-location': { does: 'drop', because: 'there is no such parameter' },
  'search-uses': { does: 'drop', because: 'the model decides how often it searches' },
  'serial-tools': { does: 'drop', because: 'the model decides how many tools it calls in parallel' },
  verbosity: { does: 'drop', because: 'there is no such parameter' },
  'cache-markers': { does: 'drop', because: 'prompts are cached automatically' },
  'cache-key': { does: 'drop', because: 'prompts are cached without a key' },
  'user-id': { does: 'drop', because: 'there is no such parameter' },
  metadata: { does: 'drop', because: 'there is no such parameter' },
  'service-tier': { does: 'drop', because: 'tiers cannot be chosen per call' },
  'speaker-names': { does: 'drop', because: 'turns have no names' },
}

/** https://ai.google.dev/api/generate-content */
export const geminiUpstream: UpstreamDialect = {
  name: 'gemini',
  limits,
  toolNames: GEMINI_TOOL_NAME,
  // Gemini fetches no URLs except those of its own files.
  takesUrl: () => false,
  writeRequest,
  readReply,
  openReader: (readUsage, fallbackId) => new GeminiStreamReader(readUsage, fallbackId),
  readError: readGeminiError,
  readUsage: readGeminiUsage,
}

const TEXT_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens']
const VECTOR_METHODS = ['embedContent', 'batchEmbedContents']

/** https://ai.google.dev/api/models#method:-models.list */
function writeModels(models: readonly ListedModel[], page?: ModelPage): JsonObject {
  return {
    models: models.map(({ id, facts }) => ({
      name: `models/${id}`,
      displayName: id,
      inputTokenLimit: facts.contextTokens,
      outputTokenLimit: facts.outputTokensMax,
      inputModalities: facts.input,
      outputModalities: facts.output,
      shutdownDate: facts.shutdownDate,
      supportedGenerationMethods: /embed/i.test(id) ? VECTOR_METHODS : TEXT_METHODS,
    })),
    nextPageToken: page?.nextToken,
  }
}
