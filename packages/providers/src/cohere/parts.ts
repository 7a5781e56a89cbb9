import type { Citation, Part } from '@tollgate/dialects/canonical/part'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'

export function readCall(call: JsonObject): Extract<Part, { type: 'tool-call' }> {
  const called = recordAt(call, 'function') ?? {}
  const { arguments: written } = called
  return {
    type: 'tool-call',
    id: textAt(call, 'id') ?? '',
    name: textAt(called, 'name') ?? '',
    arguments: typeof written === 'string' ? written : '',
    kind: 'function',
  }
}

/** Sources are documents that the client sent, usually without a URL. */
export function readCitation(citation: JsonObject): Citation {
  const [source = {}] = recordsAt(citation, 'sources')
  const document = recordAt(source, 'document') ?? {}
  const { start, end } = citation
  return {
    raw: { dialect: 'openai', value: citation },
    url: textAt(document, 'url'),
    title: textAt(document, 'title'),
    quote: textAt(citation, 'text'),
    start: typeof start === 'number' ? start : undefined,
    end: typeof end === 'number' ? end : undefined,
  }
}
