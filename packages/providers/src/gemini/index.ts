import { isRecord } from '@tollgate/dialects/json'
import { geminiContent } from '../define/conversations.ts'
import { geminiVectors } from '../define/vectors.ts'
import { keyLike } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { readNames } from '../define/model-list.ts'
import { joinUrl } from '../define/url.ts'
import { geminiImageOutput } from '../quirks/gemini-image-output.ts'
import { imagen } from './imagen.ts'
import { geminiPictures } from './pictures.ts'
import { geminiSafety } from '../quirks/gemini-safety.ts'
import { geminiSignatures } from '../quirks/gemini-signatures.ts'
import { geminiThinking } from '../quirks/gemini-thinking.ts'
import { veoUpstream } from '../tasks/veo.ts'

const drawing = geminiPictures()

/** https://ai.google.dev/api */
export const gemini = defineProvider({
  id: 'gemini',
  type: 24,
  label: 'Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  credentials: keyLike('AIza…'),
  authHeaders: ({ key }) => ({ 'x-goog-api-key': key }),
  endpoints: {
    generate: [
      geminiContent({ quirks: [geminiThinking, geminiImageOutput, geminiSafety, geminiSignatures] }),
    ],
    embed: [geminiVectors()],
    images: [imagen, drawing],
    'image-edits': [drawing],
  },
  tasks: veoUpstream,
  models: names(`
    gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite gemini-2.0-flash gemini-2.0-flash-001
    gemini-2.0-flash-lite gemini-2.0-flash-lite-001 gemini-flash-latest gemini-flash-lite-latest gemini-pro-latest
    gemini-2.5-flash-image gemini-3-pro-image gemini-3.1-flash-image gemini-3-pro-preview gemini-3-flash-preview
    gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3.1-flash-lite-preview
    gemini-3-pro-image-preview gemini-3.1-flash-image-preview gemini-2.5-flash-lite-preview-09-2025
    gemini-robotics-er-1.5-preview gemini-2.5-computer-use-preview-10-2025 gemma-3-1b-it gemma-3-4b-it
    gemma-3-12b-it gemma-3-27b-it gemma-3n-e4b-it gemma-3n-e2b-it gemini-embedding-001 gemini-embedding-2-preview
    veo-3.0-generate-001 veo-3.0-fast-generate-001 veo-3.1-generate-preview veo-3.1-fast-generate-preview
  `),
  modelList: {
    url: ({ baseUrl }) => joinUrl(baseUrl, '/v1beta/models?pageSize=1000'),
    read: (body) =>
      readNames(isRecord(body) ? body : {}, 'models', 'name').map((name) => name.replace('models/', '')),
  },
})
