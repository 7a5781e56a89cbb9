import { useEffect } from 'react'
import type { ChatLink } from '../../../shared/chat-links/chat-link.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { chatLinkMessages } from '../i18n.ts'
import { Said, WithChatAddress } from '../with-chat-address.tsx'

/** Redirects to the first chat front-end in the operator's list. */
export default function ChatRedirectPage() {
  return (
    <WithChatAddress index={0}>
      {(link, address) => <Leaving link={link} address={address} />}
    </WithChatAddress>
  )
}

function Leaving({ link, address }: { readonly link: ChatLink; readonly address: string }) {
  const t = chatLinkMessages.use()
  useEffect(() => globalThis.location.replace(address), [address])
  const again = (
    <PlainButton onClick={() => globalThis.location.assign(address)}>
      {t('open', { name: link.name })}
    </PlainButton>
  )
  return (
    <Said title={link.name} state={<EmptyState title={t('leaving', { name: link.name })} action={again} />} />
  )
}
