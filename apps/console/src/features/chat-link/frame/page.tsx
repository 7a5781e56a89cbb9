import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type ChatLink, isFramed } from '../../../shared/chat-links/chat-link.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { useDocumentTitle } from '../../../shared/page/page-header.tsx'
import { chatLinkMessages } from '../i18n.ts'
import styles from './page.module.css'
import { Said, WithChatAddress } from '../with-chat-address.tsx'

/**
 * Opens a chat front-end from the operator's list: a website in a frame, a desktop program through its own
 * link scheme.
 */
export default function ChatFramePage() {
  const { index = '0' } = useParams({ strict: false })
  const place = /^\d{1,3}$/.test(index) ? Number(index) : -1
  return (
    <WithChatAddress index={place}>
      {(link, address) =>
        isFramed(address, globalThis.location.protocol) ? (
          <Frame link={link} address={address} />
        ) : (
          <Program link={link} address={address} />
        )
      }
    </WithChatAddress>
  )
}

interface OpenedProps {
  readonly link: ChatLink
  readonly address: string
}

function Frame({ link, address }: OpenedProps) {
  useDocumentTitle(link.name)
  return (
    <>
      <h1 className="visually-hidden">{link.name}</h1>
      <iframe
        className={styles.frame}
        src={address}
        title={link.name}
        allow="camera; microphone; clipboard-write"
        referrerPolicy="no-referrer"
        // oxlint-disable-next-line react/iframe-missing-sandbox -- another site, which keeps its settings in its own storage
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
      />
    </>
  )
}

function Program({ link, address }: OpenedProps) {
  const t = chatLinkMessages.use()
  const open = () => globalThis.location.assign(address)
  useEffect(() => globalThis.location.assign(address), [address])
  return (
    <Said
      title={link.name}
      state={
        <EmptyState
          title={t('opened', { name: link.name })}
          action={<PlainButton onClick={open}>{t('again')}</PlainButton>}
        />
      }
    />
  )
}
