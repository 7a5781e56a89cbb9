/** A chat front-end as the operator configured it. */
export interface ChatLink {
  readonly name: string
  readonly template: string
}

/** Values inserted into a link. */
interface ChatLogin {
  /** The address of this gateway for clients. */
  readonly address: string
  /** Key of an enabled token, without `sk-`. */
  readonly key: string
}

/**
 * The configured links by position; `undefined` for an invalid entry. If an entry has several names, the last
 * one is used.
 */
export function chatLinks(chats: readonly unknown[]): readonly (ChatLink | undefined)[] {
  return chats.map((entry) => {
    const [name, template] = Object.entries(entry ?? {}).at(-1) ?? []
    if (name === undefined || typeof template !== 'string' || !isAddress(template)) return undefined
    return { name, template }
  })
}

/**
 * Fills in the placeholders of the template. If it contains a base64 placeholder, only that one is filled.
 */
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

/**
 * Whether the address can be shown in a frame: browsers block plain HTTP inside HTTPS, and a custom scheme
 * opens a program.
 */
export function isFramed(address: string, pageProtocol: string): boolean {
  return /^https:\/\//i.test(address) || (pageProtocol === 'http:' && /^http:\/\//i.test(address))
}

/**
 * Whether the template is an acceptable address; schemes that would run a script in this page are rejected.
 */
function isAddress(template: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(template) && !/^(?:javascript|data|vbscript|blob|file):/i.test(template)
}

function encoded(config: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(config))
  return encodeURIComponent(btoa(String.fromCodePoint(...bytes)))
}
