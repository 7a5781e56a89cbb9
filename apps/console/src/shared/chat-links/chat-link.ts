/** A chat front-end as the operator configured it. */
export interface ChatLink {
  readonly name: string
  readonly template: string
}

/** What a link is filled with. */
interface ChatLogin {
  /** Of this gateway, as clients reach it. */
  readonly address: string
  /** Of an enabled token, without `sk-`. */
  readonly key: string
}

/** The configured links by their place; of an entry with several names the last one counts. `undefined`: broken. */
export function chatLinks(chats: readonly unknown[]): readonly (ChatLink | undefined)[] {
  return chats.map((entry) => {
    const [name, template] = Object.entries(entry ?? {}).at(-1) ?? []
    if (name === undefined || typeof template !== 'string' || !isAddress(template)) return undefined
    return { name, template }
  })
}

/** The template with its blanks filled in. One base64 blank stands alone, whatever else is in the template. */
export function filledChatLink({ template }: ChatLink, { address, key }: ChatLogin): string {
  const secret = `sk-${key}`
  const config = { baseUrl: address, apiKey: secret }
  if (template.includes('{cherryConfig}'))
    return template.replaceAll('{cherryConfig}', () => encoded({ id: 'new-api', ...config }))
  if (template.includes('{aionuiConfig}'))
    return template.replaceAll('{aionuiConfig}', () => encoded({ platform: 'new-api', ...config }))
  if (template.includes('{deepchatConfig}'))
    return template.replaceAll('{deepchatConfig}', () => encoded({ id: 'new-api', ...config }))
  return template.replaceAll('{address}', () => encodeURIComponent(address)).replaceAll('{key}', () => secret)
}

/** Whether a page of ours can show it: browsers refuse plain HTTP within HTTPS, and a scheme of its own opens a program. */
export function isFramed(address: string, pageProtocol: string): boolean {
  return /^https:\/\//i.test(address) || (pageProtocol === 'http:' && /^http:\/\//i.test(address))
}

/** Links that would run a script here are none. */
function isAddress(template: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(template) && !/^(?:javascript|data|vbscript|blob|file):/i.test(template)
}

function encoded(config: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(config))
  return encodeURIComponent(btoa(String.fromCodePoint(...bytes)))
}
