import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/contract/token'
import { Skeleton } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { type ChatLink, chatLinks, filledChatLink } from '../../shared/chat-links/chat-link.ts'
import { notifyFailure } from '../../shared/notify/notify.ts'
import { EmptyState } from '../../shared/page/empty-state.tsx'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { Page, PageBody } from '../../shared/page/page.tsx'
import { ButtonLink, PlainButton } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { serverAddressOf, statusQuery } from '../../shared/session/status.ts'
import { useChatKey, useChatToken } from './api.ts'
import { chatLinkMessages } from './i18n.ts'
import { isTrusted, trust } from './trusted.ts'

const TO_TOKENS_MS = 1500

interface WithChatAddressProps {
  /** The position in the configured list, from 0. */
  readonly index: number
  readonly children: (link: ChatLink, address: string) => ReactNode
}

/**
 * Provides the address of one configured link. The key of an enabled token is inserted after the reader has
 * agreed to hand it over.
 */
export function WithChatAddress({ index, children }: WithChatAddressProps) {
  const t = chatLinkMessages.use()
  const status = useQuery(statusQuery)
  const token = useChatToken()
  const error = status.error ?? token.error
  if (error !== null)
    return (
      <Said title={t('title')} state={<ErrorState error={error} onRetry={() => void token.refetch()} />} />
    )
  if (status.data === undefined || token.data === undefined) return <Waiting />
  const links = chatLinks(status.data.chats)
  if (links.length === 0)
    return <Said title={t('title')} state={<EmptyState title={t('none')} text={t('noneText')} />} />
  const link = links[index]
  if (link === undefined)
    return <Said title={t('title')} state={<EmptyState title={t('broken')} text={t('brokenText')} />} />
  if (token.data === null) return <NoToken name={link.name} />
  const server = serverAddressOf(status.data)
  return (
    <Agreed key={link.template} link={link} token={token.data} server={server}>
      {children}
    </Agreed>
  )
}

interface AgreedProps extends Pick<WithChatAddressProps, 'children'> {
  readonly link: ChatLink
  readonly token: Token
  readonly server: string
}

function Agreed({ link, token, server, children }: AgreedProps) {
  const t = chatLinkMessages.use()
  const [isAgreed, setIsAgreed] = useState(() => isTrusted(link.template))
  const key = useChatKey(token.id, isAgreed)
  if (!isAgreed) {
    const words = { name: link.name, place: placeOf(link), token: token.name }
    const agree = () => {
      trust(link.template)
      setIsAgreed(true)
    }
    const button = (
      <PlainButton isPrimary onClick={agree}>
        {t('open', { name: link.name })}
      </PlainButton>
    )
    const question = <EmptyState title={t('agree', words)} text={t('agreeText', words)} action={button} />
    return <Said title={link.name} state={question} />
  }
  if (key.error !== null)
    return (
      <Said title={link.name} state={<ErrorState error={key.error} onRetry={() => void key.refetch()} />} />
    )
  if (key.data === undefined) return <Waiting />
  return children(link, filledChatLink(link, { address: server, key: key.data }))
}

/** Explains that a usable token is missing and links to the page where tokens are created. */
function NoToken({ name }: { readonly name: string }) {
  const t = chatLinkMessages.use()
  const navigate = useNavigate()
  useEffect(() => {
    notifyFailure(chatLinkMessages.t('noToken'))
    const timer = setTimeout(() => void navigate({ to: paths.tokens }), TO_TOKENS_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  const link = <ButtonLink to={paths.tokens}>{t('toTokens')}</ButtonLink>
  return <Said title={name} state={<EmptyState title={t('noToken')} action={link} />} />
}

export function Said({ title, state }: { readonly title: string; readonly state: ReactNode }) {
  return (
    <Page title={title} purpose="">
      {state}
    </Page>
  )
}

function Waiting() {
  return (
    <PageBody>
      <Skeleton active paragraph={{ rows: 6 }} />
    </PageBody>
  )
}

/** The host that a link leads to, or only the scheme if the link belongs to a program. */
function placeOf({ template }: ChatLink): string {
  const [, scheme = '', host = ''] = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#]*))?/i.exec(template) ?? []
  return /^https?:/i.test(scheme) ? host : scheme
}
