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
    keepAlive: Buffer.from(framing === 'array' ? ' ' : ': PING\n\n'),
  }
}

const limits: FeatureLimits = {
  'custom-tools': { does: 'convert', because: 'to functions with one text' },
  'logit-bias': { does: 'refuse', because: 'there is no such member' },
  'search-sites': { does: 'refuse', because: 'a search is of all sites' },
  'search-blocks': { does: 'refuse', because: 'a search is of all sites' },
  'other-builtins': { does: 'refuse', because: 'only their own vendor runs them' },
  'strict-tools': { does: 'drop', because: 'arguments follow a schema closely as it is' },
  'image-detail': { does: 'drop', because: 'it is set for a whole call' },
  citations: { does: 'drop', because: 'there is no such member' },
  'search-size': { does: 'drop', because: 'there is no such member' },
  'search-location': { does: 'drop', because: 'there is no such member' },
  'search-uses': { does: 'drop', because: 'the model decides how often it searches' },
  'serial-tools': { does: 'drop', because: 'the model decides how many tools it calls at once' },
  verbosity: { does: 'drop', because: 'there is no such member' },
  'cache-markers': { does: 'drop', because: 'prompts are cached without being marked' },
  'cache-key': { does: 'drop', because: 'prompts are cached without a key' },
  'user-id': { does: 'drop', because: 'there is no such member' },
  metadata: { does: 'drop', because: 'there is no such member' },
  'service-tier': { does: 'drop', because: 'tiers are not chosen by call' },
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
