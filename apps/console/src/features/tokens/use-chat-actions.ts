import { type Token, tokenRoutes } from '@tollgate/contract/token'
import { api } from '../../shared/api/client.ts'
import { type ChatLink, chatLinks, filledChatLink } from '../../shared/chat-links/chat-link.ts'
import { hostReceivingKey } from '../../shared/chat-links/chosen-host.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyFailure } from '../../shared/notify/notify.ts'
import { notifyingFailure } from '../../shared/notify/notifying-failure.ts'
import { useStatus } from '../../shared/session/status.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { tokenMessages } from './i18n.ts'

/** Opens a chat front-end with the key of a token; there is one menu entry for each of the site's links. */
export function useChatActions(): (token: Token) => RowAction {
  const t = tokenMessages.use()
  const { chats, server_address: site } = useStatus()
  const links = chatLinks(chats)

  async function open(token: Token, link: ChatLink | undefined) {
    if (link === undefined) return notifyFailure(t('chat.broken'))
    const host = hostReceivingKey(link.template)
    const isSure =
      host === undefined ||
      (await confirm({
        title: t('chat.tellTitle', { host }),
        consequence: t('chat.tellText', { host }),
        confirmLabel: t('chat.open'),
      }))
    if (!isSure) return
    const { key } = await api.call(tokenRoutes.reveal, { params: { id: token.id } })
    const login = { address: site || globalThis.location.origin, key }
    globalThis.open(filledChatLink(link, login), '_blank', 'noopener')
  }

  return (token) =>
    links.length === 0
      ? { key: 'chat', label: t('chat'), refusal: t('chat.none') }
      : {
          key: 'chat',
          label: t('chat'),
          children: links.map((link, index) => ({
            key: `chat-${index}`,
            label: link?.name ?? t('chat.unnamed', { number: index + 1 }),
            onSelect: notifyingFailure(() => open(token, link)),
          })),
        }
}
