import type { IncomingHttpHeaders } from 'node:http'
import { FOREIGN_ID_CHARACTERS_MAX, keepPlainText } from '@tollgate/kit/plain-text'

/** Where a vendor puts its own id of a request, which its support asks for. */
export interface RequestIdHeader {
  /** In lower case. */
  readonly name: string
  readonly vendor: string
  /** The page that documents the header. */
  readonly source: string
}

/**
 * In the order in which they are read: a response may have several, because gateways and clouds pass on the
 * headers of what stands behind them. The table in `docs/reference/dialects.md` is generated from this.
 */
export const requestIdHeaders: readonly RequestIdHeader[] = [
  {
    name: 'x-oneapi-request-id',
    vendor: 'new-api and its family, Tollgate',
    source: 'https://github.com/QuantumNous/new-api/blob/main/common/constants.go',
  },
  {
    name: 'request-id',
    vendor: 'Anthropic',
    source: 'https://docs.anthropic.com/en/api/errors#request-id',
  },
  {
    name: 'x-request-id',
    vendor: 'OpenAI, Alibaba, Mistral and others',
    source: 'https://platform.openai.com/docs/api-reference/debugging-requests',
  },
  {
    name: 'apim-request-id',
    vendor: 'Azure OpenAI',
    source: 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference',
  },
  {
    name: 'x-ms-request-id',
    vendor: 'Azure',
    source: 'https://learn.microsoft.com/en-us/rest/api/azure/',
  },
  {
    name: 'x-amzn-requestid',
    vendor: 'Amazon Bedrock',
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html',
  },
  {
    name: 'x-siliconcloud-trace-id',
    vendor: 'SiliconFlow',
    source: 'https://docs.siliconflow.cn/cn/faqs/error-code',
  },
  {
    name: 'x-tt-logid',
    vendor: 'Volcengine',
    source: 'https://www.volcengine.com/docs/82379/1298459',
  },
  {
    name: 'trace-id',
    vendor: 'MiniMax',
    source: 'https://platform.minimaxi.com/document/ChatCompletion%20v2',
  },
]

/** The vendor's id of a request, in printable ASCII without blanks; `undefined` without one. */
export function readUpstreamRequestId(headers: IncomingHttpHeaders): string | undefined {
  for (const { name } of requestIdHeaders) {
    const value = headers[name]
    const id = keepPlainText(Array.isArray(value) ? value[0] : value, FOREIGN_ID_CHARACTERS_MAX)
    if (id !== undefined) return id
  }
  return undefined
}
