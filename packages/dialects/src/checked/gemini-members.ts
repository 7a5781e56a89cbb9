import { shape, type CheckedShape, type CheckedSpec } from './shape.ts'
import { ANYWHERE, REACHING } from './shared-members.ts'

/** Gemini accepts every member in camel case or in snake case, but not both at once. */
function eachInBoth(spec: CheckedSpec): CheckedSpec {
  return Object.fromEntries(
    Object.entries(spec).map(([name, inside]) => {
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [snake === name ? name : `${name}|${snake}`, inside]
    }),
  )
}

export function gemini(spec: CheckedSpec): CheckedShape {
  return shape(eachInBoth(spec))
}

const GEMINI_PART: CheckedShape = gemini({
  text: null,
  thought: null,
  inlineData: gemini({ mimeType: null, data: null }),
  fileData: gemini({ mimeType: null, fileUri: null }),
  videoMetadata: gemini({ fps: null, startOffset: null, endOffset: null }),
  mediaResolution: null,
  functionCall: gemini({ id: null, name: null, args: null }),
  functionResponse: gemini({ id: null, name: null, response: null, parts: () => GEMINI_PART }),
})

const GEMINI_CONTENT = gemini({ role: null, parts: GEMINI_PART })

const GENERATION_CONFIG = gemini({
  maxOutputTokens: null,
  candidateCount: null,
  responseModalities: null,
  responseMimeType: null,
  mediaResolution: null,
  thinkingConfig: gemini({ thinkingBudget: null, thinkingLevel: null, includeThoughts: null }),
  speechConfig: gemini({ voiceConfig: null, multiSpeakerVoiceConfig: null }),
  imageConfig: gemini({ aspectRatio: null, imageSize: null, numberOfImages: null }),
})

export const GENERATE = shape({
  ...REACHING,
  inference_geo: null,
  safety_identifier: null,
  ...eachInBoth({
    model: null,
    group: null,
    stream: null,
    serviceTier: null,
    speed: null,
    store: null,
    contents: GEMINI_CONTENT,
    systemInstruction: GEMINI_CONTENT,
    generationConfig: GENERATION_CONFIG,
    tools: gemini({
      functionDeclarations: null,
      googleSearch: null,
      googleSearchRetrieval: null,
      enterpriseWebSearch: null,
      googleMaps: null,
      urlContext: null,
      codeExecution: null,
      fileSearch: null,
      computerUse: null,
      retrieval: null,
      mcpServers: null,
    }),
  }),
})

const EMBED_REQUEST: CheckedSpec = { content: GEMINI_CONTENT, title: null, outputDimensionality: null }
export const EMBED = shape({
  ...ANYWHERE,
  ...eachInBoth({ ...EMBED_REQUEST, requests: gemini({ model: null, ...EMBED_REQUEST }) }),
})
