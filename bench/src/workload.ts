/** What every target is asked and what every upstream answers: small, ordinary, and the same for all of them. */

export type Kind = 'whole' | 'stream'

/** The gateway finds the upstream by the model, so that each kind has a channel of its own. */
export const models: Readonly<Record<Kind, string>> = {
  whole: 'gpt-4o-mini',
  stream: 'gpt-4o-mini-2024-07-18',
}

export const FRAMES = 200
/** Frames handed to the socket at once, so that a stream arrives in several reads as it does from a real upstream. */
const FRAMES_PER_WRITE = 20

export function requestBody(kind: Kind): string {
  return JSON.stringify({
    model: models[kind],
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Say in one sentence what a gateway does.' },
    ],
    max_tokens: 512,
    temperature: 0.7,
    ...(kind === 'stream' && { stream: true }),
  })
}

export const wholeAnswer = JSON.stringify({
  id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012',
  object: 'chat.completion',
  created: 1_750_000_000,
  model: models.whole,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'A gateway receives a request, decides where it may go, and carries the answer back.',
        refusal: null,
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 27,
    completion_tokens: 18,
    total_tokens: 45,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  service_tier: 'default',
  system_fingerprint: 'fp_0123456789',
})

/** An answer of {@link FRAMES} frames, each an HTTP chunk of its own, in the pieces in which it is written. */
export function streamPieces(): Buffer[] {
  const frames = streamFrames().map((frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`)
  const pieces: string[] = []
  for (let start = 0; start < frames.length; start += FRAMES_PER_WRITE) {
    pieces.push(frames.slice(start, start + FRAMES_PER_WRITE).join(''))
  }
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n'
  pieces[0] = `${head}transfer-encoding: chunked\r\n\r\n${pieces[0]}`
  pieces.push('0\r\n\r\n')
  return pieces.map((piece) => Buffer.from(piece))
}

/** The role, the words, the finish with its usage, and the end mark. */
function streamFrames(): string[] {
  const words = Array.from({ length: FRAMES - 3 }, (_, index) => chunk({ content: ` word${index}` }, null))
  const usage = { prompt_tokens: 27, completion_tokens: FRAMES - 3, total_tokens: FRAMES + 24 }
  return [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    ...words,
    chunk({}, 'stop', usage),
    'data: [DONE]\n\n',
  ]
}

function chunk(delta: object, finishReason: string | null, usage: object | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  const head = { id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012', object: 'chat.completion.chunk' }
  const body = { ...head, created: 1_750_000_000, model: models.stream, choices, usage }
  return `data: ${JSON.stringify(body)}\n\n`
}

export function wholeResponse(): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(wholeAnswer)}\r\n\r\n`
  return Buffer.from(head + wholeAnswer)
}
