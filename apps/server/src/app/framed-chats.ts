/** What a policy header can name: anything else, such as a semicolon, would begin another rule. */
const PLAIN_ORIGIN = /^http:\/\/[\w.-]+(?::\d+)?$/

/**
 * The sites of chat links over plain HTTP, which are usual on a company network; HTTPS may be framed anyway. Where the
 * console itself comes over HTTPS, browsers refuse them as mixed content, and the console opens them outside.
 */
export function framedChatOrigins(chats: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const templates = chats.flatMap((chat) => Object.values(chat))
  return [...new Set(templates.map(originOf).filter((origin) => PLAIN_ORIGIN.test(origin)))]
}

function originOf(template: string): string {
  return URL.canParse(template) ? new URL(template).origin : ''
}
