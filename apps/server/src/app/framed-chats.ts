/**
 * Matches the origins that are safe in a policy header. A semicolon, for example, would start another
 * directive.
 */
const PLAIN_ORIGIN = /^http:\/\/[\w.-]+(?::\d+)?$/

/**
 * Origins of the chat links that use plain HTTP, which is common on company networks; HTTPS origins may be
 * framed anyway. If the console itself is served over HTTPS, browsers block these frames as mixed content and
 * the console opens the links in a new tab.
 */
export function framedChatOrigins(chats: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const templates = chats.flatMap((chat) => Object.values(chat))
  return [...new Set(templates.map(originOf).filter((origin) => PLAIN_ORIGIN.test(origin)))]
}

function originOf(template: string): string {
  return URL.canParse(template) ? new URL(template).origin : ''
}
