import { acceptBothCases, composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'
import {
  commonMembers,
  mergedMembers,
  namingMembers,
  reachingMembers,
  routingMembers,
} from './common-members.ts'

const tools = `googleSearch googleSearchRetrieval enterpriseWebSearch googleMaps urlContext codeExecution
  fileSearch computerUse retrieval mcpServers`

const embedMembers: readonly MemberRow[] = [
  defineRow('content', 'content', source.GEMINI_EMBED, { inside: 'gemini-content' }),
  defineRow('title', 'content', source.GEMINI_EMBED),
  defineRow('outputDimensionality', 'content', source.GEMINI_EMBED),
]
const embedTuning = acceptBothCases(
  defineRows('plain', source.GEMINI_EMBED, 'taskType autoTruncate mimeType embedContentConfig'),
)

/** Bodies of Gemini, whose members are accepted in camel case and in snake case. */
export const geminiObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  generate: composeRows(
    reachingMembers,
    defineRows('priced', source.VERTEX_GENERATE, 'inference_geo'),
    defineRows('identifies', source.OPENAI_CHAT, 'safety_identifier'),
    acceptBothCases([
      ...defineRows('content', source.GEMINI_GENERATE, 'model group stream'),
      ...defineRows('priced', source.GEMINI_GENERATE, 'serviceTier speed'),
      defineRow('store', 'reaches', source.GEMINI_GENERATE),
      defineRow('contents', 'content', source.GEMINI_GENERATE, { inside: 'gemini-content' }),
      defineRow('systemInstruction', 'content', source.GEMINI_GENERATE, { inside: 'gemini-content' }),
      defineRow('generationConfig', 'limit', source.GEMINI_GENERATE, { inside: 'generation-config' }),
      defineRow('tools', 'reaches', source.GEMINI_GENERATE, { inside: 'gemini-tool' }),
      ...defineRows('plain', source.GEMINI_GENERATE, 'toolConfig safetySettings labels modelArmorConfig'),
    ]),
    namingMembers,
    routingMembers,
    mergedMembers.filter(({ name }) => name !== 'parameters' && name !== 'options'),
    defineRows('plain', source.GEMINI_GENERATE, 'metadata user session_id userContent requestId'),
  ),
  'gemini-content': [
    defineRow('role', 'content', source.GEMINI_GENERATE),
    defineRow('parts', 'content', source.GEMINI_GENERATE, { inside: 'gemini-part' }),
  ],
  'gemini-part': acceptBothCases([
    ...defineRows('content', source.GEMINI_GENERATE, 'text thought mediaResolution'),
    defineRow('inlineData', 'content', source.GEMINI_GENERATE, { inside: 'gemini-data' }),
    defineRow('fileData', 'content', source.GEMINI_GENERATE, { inside: 'gemini-file' }),
    defineRow('videoMetadata', 'content', source.GEMINI_GENERATE, { inside: 'video-metadata' }),
    defineRow('functionCall', 'content', source.GEMINI_GENERATE, { inside: 'gemini-call' }),
    defineRow('functionResponse', 'content', source.GEMINI_GENERATE, { inside: 'gemini-response' }),
    ...defineRows(
      'plain',
      source.GEMINI_GENERATE,
      'thoughtSignature executableCode codeExecutionResult toolCall toolResponse partMetadata',
    ),
  ]),
  'video-metadata': acceptBothCases(
    defineRows('content', source.GEMINI_GENERATE, 'fps startOffset endOffset'),
  ),
  'gemini-call': acceptBothCases([
    ...defineRows('content', source.GEMINI_GENERATE, 'id name args'),
    ...defineRows('plain', source.GEMINI_GENERATE, 'partialArgs willContinue'),
  ]),
  'gemini-response': acceptBothCases([
    ...defineRows('content', source.GEMINI_GENERATE, 'id name response'),
    defineRow('parts', 'content', source.GEMINI_GENERATE, { inside: 'gemini-part' }),
    ...defineRows('plain', source.GEMINI_GENERATE, 'willContinue scheduling'),
  ]),
  'generation-config': acceptBothCases([
    ...defineRows('limit', source.GEMINI_GENERATE, 'maxOutputTokens candidateCount'),
    ...defineRows('priced', source.GEMINI_GENERATE, 'responseModalities mediaResolution'),
    defineRow('responseMimeType', 'content', source.GEMINI_GENERATE),
    defineRow('thinkingConfig', 'limit', source.GEMINI_GENERATE, { inside: 'thinking-config' }),
    defineRow('speechConfig', 'priced', source.GEMINI_GENERATE, { inside: 'speech-config' }),
    defineRow('imageConfig', 'priced', source.GEMINI_GENERATE, { inside: 'image-config' }),
    defineRow('modelConfig', 'routes', source.VERTEX_GENERATE),
    defineRow('routingConfig', 'routes', source.VERTEX_GENERATE),
    defineRow('modelSelectionConfig', 'routes', source.VERTEX_GENERATE),
    ...defineRows(
      'plain',
      source.GEMINI_GENERATE,
      `temperature topP topK stopSequences responseSchema responseJsonSchema _responseJsonSchema seed
       presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers audioTimestamp
       enableAffectiveDialog responseFormat`,
    ),
  ]),
  'thinking-config': acceptBothCases(
    defineRows('limit', source.GEMINI_GENERATE, 'thinkingBudget thinkingLevel includeThoughts'),
  ),
  'speech-config': acceptBothCases([
    ...defineRows('content', source.GEMINI_GENERATE, 'voiceConfig multiSpeakerVoiceConfig'),
    ...defineRows('plain', source.GEMINI_GENERATE, 'languageCode'),
  ]),
  'image-config': acceptBothCases([
    ...defineRows('priced', source.GEMINI_GENERATE, 'aspectRatio imageSize numberOfImages'),
    ...defineRows('plain', source.VERTEX_GENERATE, 'imageOutputOptions personGeneration outputMimeType'),
  ]),
  'gemini-tool': composeRows(
    acceptBothCases([
      defineRow('functionDeclarations', 'content', source.GEMINI_GENERATE),
      ...defineRows('reaches', source.GEMINI_GENERATE, tools),
    ]),
    defineRows('plain', source.OPENAI_CHAT, 'type function name description parameters input_schema'),
  ),
  embed: composeRows(
    commonMembers,
    acceptBothCases([
      ...embedMembers,
      defineRow('requests', 'content', source.GEMINI_EMBED, { inside: 'embed-request' }),
    ]),
    embedTuning,
    namingMembers,
    routingMembers,
    mergedMembers,
  ),
  'embed-request': composeRows(
    acceptBothCases([defineRow('model', 'content', source.GEMINI_EMBED), ...embedMembers]),
    embedTuning,
  ),
}
