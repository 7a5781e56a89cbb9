import type { Token } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { type ReactNode, useId } from 'react'
import { SelectOnDemand } from '../../shared/on-demand/select-on-demand.tsx'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { connectMessages } from './i18n.ts'
import styles from './page.module.css'

interface ChoicesProps {
  readonly tokens: readonly Token[]
  readonly token: Token | undefined
  readonly models: readonly string[]
  readonly model: string | undefined
  readonly onToken: (id: number) => void
  readonly onModel: (model: string) => void
  readonly onNewToken: () => void
}

/** Token and model, side by side. */
export function Choices({ tokens, token, models, model, onToken, onModel, onNewToken }: ChoicesProps) {
  const t = connectMessages.use()
  const usable = tokens.filter(({ status }) => status === TOKEN_STATUS.enabled)
  return (
    <div className={styles.choices}>
      <Choice label={t('word.token')}>
        {(id) =>
          usable.length === 0 ? (
            <p className="muted">{t(tokens.length === 0 ? 'token.none' : 'token.noneUsable')}</p>
          ) : (
            <SelectOnDemand
              id={id}
              isSearchable
              value={token?.id}
              options={usable.map(({ id: tokenId, name, key }) => ({
                value: tokenId,
                label: `${name} · sk-${key}`,
              }))}
              onChange={onToken}
            />
          )
        }
      </Choice>
      <PlainButton isPrimary={usable.length === 0} onClick={onNewToken}>
        {t('token.new')}
      </PlainButton>
      <Choice label={t('word.model')}>
        {(id) => (
          <SelectOnDemand
            id={id}
            isSearchable
            value={model}
            options={models.map((name) => ({ value: name, label: name }))}
            nothing={t('model.none')}
            placeholder={t('model.none')}
            onChange={onModel}
          />
        )}
      </Choice>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly children: (id: string) => ReactNode
}

function Choice({ label, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
