import { variantOf } from '@tollgate/contract/client-setup/index'
import {
  type ClientSetup,
  HIDDEN_KEY,
  type SetupBlock,
  type SetupValues,
  type SetupVariant,
} from '@tollgate/contract/client-setup/setup'
import { type Shell, textOf } from '@tollgate/contract/client-setup/write'
import type { Token } from '@tollgate/contract/token'
import { useState } from 'react'
import { CodeFrame } from '../../shared/code-example/code-frame.tsx'
import { copyText } from '../../shared/copy/copy.ts'
import { orNotify } from '../../shared/notify/notifying-failure.ts'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { Section } from '../../shared/page/section.tsx'
import { revealKey } from './api.ts'
import { Fields } from './fields.tsx'
import { connectMessages } from './i18n.ts'
import styles from './page.module.css'

interface BlocksProps {
  readonly setup: ClientSetup
  readonly variantId: string
  readonly token: Token | undefined
  readonly address: string
  readonly model: string
  readonly onVariant: (id: string) => void
}

/**
 * What to paste where. The key is shown only on request; a copied block always contains it, and it is
 * requested for each copy.
 */
export function Blocks({ setup, variantId, token, address, model, onVariant }: BlocksProps) {
  const t = connectMessages.use()
  const [shown, setShown] = useState<{ readonly tokenId: number; readonly key: string }>()
  const [shell, setShell] = useState<Shell>(() =>
    /windows/i.test(navigator.userAgent) ? 'powershell' : 'sh',
  )
  const variant = variantOf(setup, variantId)
  const visibleKey = shown !== undefined && shown.tokenId === token?.id ? shown.key : undefined
  const valuesWith = (key: string): SetupValues => ({ address, key, model })
  const blocks = variant.blocks(valuesWith(visibleKey ?? HIDDEN_KEY))

  const fullKey = async () => visibleKey ?? (token === undefined ? HIDDEN_KEY : await revealKey(token))
  async function copy(index: number): Promise<void> {
    const block = variant.blocks(valuesWith(await fullKey()))[index]
    if (block !== undefined) await copyText(textOf(block, shell), { isSecret: true })
  }
  async function copyField(value: string): Promise<void> {
    const isKey = value === HIDDEN_KEY || value === visibleKey
    await copyText(isKey ? await fullKey() : value, { isSecret: isKey })
  }
  const toggle = async () => {
    if (token === undefined || visibleKey !== undefined) setShown(undefined)
    else setShown({ tokenId: token.id, key: await revealKey(token) })
  }

  return (
    <Section
      title={t('blocks')}
      purpose={t(`note.${setup.id}`)}
      actions={
        <PlainButton isDisabled={token === undefined} onClick={() => void orNotify(toggle)}>
          {visibleKey === undefined ? t('key.show') : t('key.hide')}
        </PlainButton>
      }
    >
      <Variants setup={setup} chosen={variant} onChoose={onVariant} />
      {blocks.map((block, index) =>
        block.type === 'fields' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the blocks of a variant keep their order
          <Fields key={index} block={block} onCopy={(value) => void orNotify(() => copyField(value))} />
        ) : (
          <CodeFrame
            // oxlint-disable-next-line react/no-array-index-key -- the blocks of a variant keep their order
            key={index}
            isFitted
            head={<Head block={block} shell={shell} onShell={setShell} />}
            text={textOf(block, shell)}
            onCopy={() => void orNotify(() => copy(index))}
          />
        ),
      )}
      {blocks.some(({ type }) => type === 'file') && <p className="fine-print">{t('blocks.merge')}</p>}
    </Section>
  )
}

interface VariantsProps {
  readonly setup: ClientSetup
  readonly chosen: SetupVariant
  readonly onChoose: (id: string) => void
}

function Variants({ setup, chosen, onChoose }: VariantsProps) {
  if (setup.variants.length === 1) return null
  return (
    <div className="wrap-8">
      {setup.variants.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className={styles.variant}
          aria-pressed={id === chosen.id}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

interface HeadProps {
  readonly block: SetupBlock
  readonly shell: Shell
  readonly onShell: (shell: Shell) => void
}

/** Where the block belongs; variables are shown for either kind of shell. */
function Head({ block, shell, onShell }: HeadProps) {
  const t = connectMessages.use()
  if (block.type === 'file') return <span className={styles.place}>{block.path}</span>
  if (block.type === 'code')
    return <span className={styles.place}>{block.install ?? t('blocks.terminal')}</span>
  return (
    <>
      <button type="button" aria-pressed={shell === 'sh'} onClick={() => onShell('sh')}>
        {t('shell.sh')}
      </button>
      <button type="button" aria-pressed={shell === 'powershell'} onClick={() => onShell('powershell')}>
        {t('shell.powershell')}
      </button>
    </>
  )
}
