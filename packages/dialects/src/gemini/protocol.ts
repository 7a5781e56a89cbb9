import { invariant } from '@tollgate/kit/invariant'

/*
 * Members of the requests of `generateContent` and `embedContent`, by message type. protobuf's JSON form accepts
 * two spellings of each (`inlineData`, `inline_data`), and `null` for "not set"; values of `Struct` and `Value`
 * and the keys of maps belong to the caller.
 *
 * Sources, read on 2026-11-29:
 * - https://ai.google.dev/api/generate-content, https://ai.google.dev/api/caching (Content, Part, Tool, Schema)
 * - https://cloud.google.com/vertex-ai/docs/reference/rest/v1/Schema (additionalProperties, defs, ref)
 * - https://protobuf.dev/programming-guides/json/ (both spellings, null, enum names, both base64 alphabets)
 *
 * A member is written as `name`, with its type after a colon if it is no number, text or flag:
 * `Type` a message, `Type[]` a list of them, `<Type>` a map of texts to them, `enum` a name of the protocol,
 * `bytes`, and `user` for what belongs to the caller.
 */
const MESSAGES = {
  GenerateContentRequest: `model contents:Content[] systemInstruction:Content tools:Tool[] toolConfig:ToolConfig
    safetySettings:SafetySetting[] generationConfig:GenerationConfig cachedContent serviceTier:enum store
    labels:user`,
  EmbedContentRequest: `model content:Content taskType:enum title outputDimensionality autoTruncate
    requests:EmbedContentRequest[] embedContentConfig:EmbedContentConfig`,
  EmbedContentConfig: 'taskType:enum title outputDimensionality autoTruncate',
  Content: 'role parts:Part[]',
  Part: `text thought thoughtSignature:bytes inlineData:Blob fileData:FileData functionCall:FunctionCall
    functionResponse:FunctionResponse executableCode:ExecutableCode codeExecutionResult:CodeExecutionResult
    videoMetadata:VideoMetadata mediaResolution:MediaResolution partMetadata:user toolCall:ToolCall
    toolResponse:ToolResponse`,
  Blob: 'mimeType data:bytes displayName',
  FileData: 'mimeType fileUri displayName',
  VideoMetadata: 'startOffset endOffset fps',
  MediaResolution: 'level:enum numTokens',
  FunctionCall: 'id name args:user partialArgs:user willContinue',
  FunctionResponse: 'id name response:user parts:FunctionResponsePart[] willContinue scheduling:enum',
  FunctionResponsePart: 'inlineData:Blob fileData:FileData',
  ToolCall: 'id toolType:enum args:user',
  ToolResponse: 'id toolType:enum response:user',
  ExecutableCode: 'id language:enum code',
  CodeExecutionResult: 'id outcome:enum output',
  Tool: `functionDeclarations:FunctionDeclaration[] googleSearch:GoogleSearch
    googleSearchRetrieval:GoogleSearchRetrieval codeExecution:Empty urlContext:Empty computerUse:ComputerUse
    fileSearch:FileSearch googleMaps:GoogleMaps enterpriseWebSearch:EnterpriseWebSearch retrieval:Retrieval
    mcpServers:McpServer[] parallelAiSearch:user`,
  Empty: '',
  GoogleSearch: 'timeRangeFilter:Interval excludeDomains searchTypes:SearchTypes blockingConfidence:enum',
  SearchTypes: 'webSearch:Empty imageSearch:Empty',
  Interval: 'startTime endTime',
  GoogleSearchRetrieval: 'dynamicRetrievalConfig:DynamicRetrievalConfig',
  DynamicRetrievalConfig: 'mode:enum dynamicThreshold',
  ComputerUse: 'environment:enum excludedPredefinedFunctions',
  FileSearch: 'fileSearchStoreNames topK metadataFilter',
  GoogleMaps: 'enableWidget authConfig:user',
  EnterpriseWebSearch: 'excludeDomains blockingConfidence:enum',
  Retrieval: 'disableAttribution vertexAiSearch:user vertexRagStore:user externalApi:user',
  McpServer: 'name streamableHttpTransport:McpTransport',
  McpTransport: 'url headers:user timeout sseReadTimeout terminateOnClose',
  FunctionDeclaration: `name description behavior:enum parameters:Schema parametersJsonSchema:user
    response:Schema responseJsonSchema:user`,
  Schema: `type:enum format title description nullable enum:user maxItems minItems properties:<Schema> required
    minProperties maxProperties minLength maxLength pattern example:user anyOf:Schema[] propertyOrdering
    default:user items:Schema minimum maximum additionalProperties:Schema defs:<Schema> ref`,
  ToolConfig: `functionCallingConfig:FunctionCallingConfig retrievalConfig:RetrievalConfig
    includeServerSideToolInvocations`,
  FunctionCallingConfig: 'mode:enum allowedFunctionNames streamFunctionCallArguments',
  RetrievalConfig: 'latLng:LatLng languageCode',
  LatLng: 'latitude longitude',
  SafetySetting: 'category:enum threshold:enum method:enum',
  GenerationConfig: `stopSequences responseMimeType responseSchema:Schema responseJsonSchema:user
    _responseJsonSchema:user responseModalities:enum candidateCount maxOutputTokens temperature topP topK seed
    presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers
    speechConfig:SpeechConfig thinkingConfig:ThinkingConfig imageConfig:ImageConfig mediaResolution:enum
    audioTimestamp enableAffectiveDialog routingConfig:user modelSelectionConfig:user`,
  SpeechConfig: `voiceConfig:VoiceConfig multiSpeakerVoiceConfig:MultiSpeakerVoiceConfig languageCode`,
  VoiceConfig: `prebuiltVoiceConfig:PrebuiltVoiceConfig replicatedVoiceConfig:ReplicatedVoiceConfig`,
  PrebuiltVoiceConfig: 'voiceName',
  ReplicatedVoiceConfig: 'mimeType voiceSampleAudio:bytes',
  MultiSpeakerVoiceConfig: 'speakerVoiceConfigs:SpeakerVoiceConfig[]',
  SpeakerVoiceConfig: 'speaker voiceConfig:VoiceConfig',
  ThinkingConfig: 'includeThoughts thinkingBudget thinkingLevel:enum',
  ImageConfig: `aspectRatio imageSize numberOfImages personGeneration:enum imageOutputOptions:ImageOutputOptions
    prominentPeople:enum`,
  ImageOutputOptions: 'mimeType compressionQuality',
} as const

export type GeminiMessage = keyof typeof MESSAGES

/** One member of a message of Google's protocol. */
export interface ProtocolMember {
  /** The camel case spelling. */
  readonly name: string
  readonly kind: 'plain' | 'enum' | 'bytes' | 'user' | 'message' | 'map'
  readonly isList: boolean
  /** Set for a message and a map of messages. */
  readonly message: GeminiMessage | undefined
}

/** The members of one message, by either spelling. */
export type ProtocolMembers = ReadonlyMap<string, ProtocolMember>

/** `maxOutputTokens` → `max_output_tokens`, as protobuf spells the same member. */
export function spellSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isMessage(name: string): name is GeminiMessage {
  return Object.hasOwn(MESSAGES, name)
}

function readMember(text: string): ProtocolMember {
  const [name = '', type = 'plain'] = text.split(':')
  const isList = type.endsWith('[]')
  const bare = type.replaceAll(/[<>[\]]/g, '')
  if (isMessage(bare)) return { name, kind: type.startsWith('<') ? 'map' : 'message', isList, message: bare }
  invariant(
    bare === 'plain' || bare === 'enum' || bare === 'bytes' || bare === 'user',
    `${text} names a type of the protocol`,
  )
  return { name, kind: bare, isList, message: undefined }
}

function readMembers(words: string): ProtocolMembers {
  const members = words.split(/\s+/).filter((word) => word !== '')
  return new Map(
    members.map(readMember).flatMap((member) => [
      [member.name, member],
      [spellSnake(member.name), member],
    ]),
  )
}

export const geminiProtocol: Readonly<Record<GeminiMessage, ProtocolMembers>> = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(MESSAGES).map(([message, words]) => [message, readMembers(words)])),
)
