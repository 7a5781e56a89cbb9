import type { Dialect } from '@tollgate/contract/client-setup/setup'
import * as z from 'zod/mini'

const text = z.catch(z.optional(z.string()), undefined)
const parts = z.catch(z.array(z.looseObject({ text })), [])

/** Only the members that hold the text of an answer; anything else reads as no text. */
const shapes = {
  chat: z.looseObject({ choices: z.array(z.looseObject({ message: z.looseObject({ content: text }) })) }),
  responses: z.looseObject({ output: z.array(z.looseObject({ content: parts })) }),
  messages: z.looseObject({ content: parts }),
  gemini: z.looseObject({ candidates: z.array(z.looseObject({ content: z.looseObject({ parts }) })) }),
} as const

type Texts = readonly (string | undefined)[] | undefined

const readers: Readonly<Record<Dialect, (body: unknown) => Texts>> = {
  chat: (body) => shapes.chat.safeParse(body).data?.choices.map(({ message }) => message.content),
  responses: (body) => shapes.responses.safeParse(body).data?.output.flatMap(textsOf),
  messages: (body) => textsOf(shapes.messages.safeParse(body).data),
  gemini: (body) =>
    shapes.gemini
      .safeParse(body)
      .data?.candidates.flatMap(({ content }) => content.parts.map((part) => part.text)),
}

/** The text of an answer in its wire format; "" if it has none, as when a model used all tokens to think. */
export function answerText(dialect: Dialect, body: unknown): string {
  return (readers[dialect](body) ?? []).join('').trim()
}

const refusals = z.looseObject({
  error: z.catch(z.optional(z.looseObject({ message: text })), undefined),
  message: text,
})

/** The gateway's sentence; every wire format has it in the same place. "" if there is none. */
export function refusalText(body: unknown): string {
  const { error, message } = refusals.safeParse(body).data ?? {}
  return error?.message ?? message ?? ''
}

function textsOf(
  holder: { readonly content: readonly { readonly text?: string | undefined }[] } | undefined,
) {
  return holder?.content.map((part) => part.text) ?? []
}
