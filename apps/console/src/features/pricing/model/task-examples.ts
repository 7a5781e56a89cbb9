import type { Example } from '../../../shared/code-example/code-example.tsx'
import type { ExampleValues } from './example-values.ts'
import { httpExamples } from './http-examples.ts'

type Body = Readonly<Record<string, unknown>>

interface Submission {
  readonly verb: string
  readonly body: Body
}

const PICTURE = 'data:image/png;base64,…'
const PROMPT = 'A lighthouse at dawn'

/** The request that starts a drawing, by model name without `mj_`. */
const drawings: Readonly<Record<string, Submission>> = {
  imagine: { verb: 'imagine', body: { prompt: PROMPT } },
  describe: { verb: 'describe', body: { base64: PICTURE } },
  blend: { verb: 'blend', body: { base64Array: [PICTURE, PICTURE] } },
  shorten: { verb: 'shorten', body: { prompt: PROMPT } },
  upload: { verb: 'upload-discord-images', body: { base64Array: [PICTURE] } },
  edits: { verb: 'edits', body: { prompt: PROMPT, image: PICTURE } },
  video: { verb: 'video', body: { prompt: PROMPT, image: PICTURE } },
  swap_face: { verb: 'swap', body: { sourceBase64: PICTURE, targetBase64: PICTURE } },
  modal: { verb: 'modal', body: { taskId: '…', prompt: PROMPT } },
  upscale: { verb: 'change', body: { taskId: '…', action: 'UPSCALE', index: 1 } },
  variation: { verb: 'change', body: { taskId: '…', action: 'VARIATION', index: 1 } },
  reroll: { verb: 'change', body: { taskId: '…', action: 'REROLL' } },
}
/** Every other model stands for a button below a drawing. */
const button: Submission = { verb: 'action', body: { taskId: '…', customId: 'MJ::…' } }

export function midjourneyExamples({ model, address }: ExampleValues): readonly Example[] {
  const { verb, body } = drawings[model.replace(/^mj_/, '')] ?? button
  return httpExamples({
    address,
    path: `/mj/submit/${verb}`,
    body,
    resultPath: '/mj/task/$ID/fetch',
    idMember: 'result',
  })
}

export function sunoExamples({ model, address }: ExampleValues): readonly Example[] {
  const isLyrics = model === 'suno_lyrics'
  return httpExamples({
    address,
    path: `/suno/submit/${isLyrics ? 'lyrics' : 'music'}`,
    body: isLyrics ? { prompt: 'A song of the sea' } : { prompt: 'A song of the sea', mv: 'chirp-v4' },
    resultPath: '/suno/fetch/$ID',
    idMember: 'data',
  })
}

export function generateExamples({ model, address }: ExampleValues): readonly Example[] {
  return httpExamples({
    address,
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  })
}
