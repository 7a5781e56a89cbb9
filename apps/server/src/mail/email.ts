import type { Language } from '@tollgate/problems/problem'

/** An email as text and as HTML with the same content. */
export interface Email {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface EmailDraft {
  readonly title: string
  readonly paragraphs: readonly Paragraph[]
}

export type Paragraph = string | { readonly code: string } | { readonly link: string }

export interface Frame {
  readonly siteName: string
  readonly language: Language
  readonly footer: string
}

/** All values of the draft are plain text and are escaped in the HTML. */
export function renderEmail({ title, paragraphs }: EmailDraft, { siteName, language, footer }: Frame): Email {
  const subject = `${siteName} ${title}`
  return {
    subject,
    text: [...paragraphs.map(plain), footer].join('\n\n'),
    html: page({ subject, language, body: [...paragraphs.map(marked), small(footer)].join('') }),
  }
}

function plain(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'code' in paragraph ? paragraph.code : paragraph.link
}

function marked(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escaped(paragraph)}</p>`
  if ('code' in paragraph)
    return `<p style="font: 600 24px monospace; letter-spacing: 2px">${escaped(paragraph.code)}</p>`
  const link = escaped(paragraph.link)
  return `<p><a href="${link}">${link}</a></p>`
}

function small(text: string): string {
  return `<p style="color: #6b7280; font-size: 12px">${escaped(text)}</p>`
}

function page({ subject, language, body }: { subject: string; language: Language; body: string }): string {
  const lang = language === 'zh' ? 'zh-CN' : 'en'
  return (
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>` +
    `<body style="font: 15px/1.6 sans-serif; max-width: 36em; margin: 24px auto; padding: 0 16px">${body}</body></html>`
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
