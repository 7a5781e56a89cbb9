import { useMutation } from '@tanstack/react-query'
import type { setupStateSchema } from '@tollgate/contract/setup'
import { Alert, Button, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { failureText } from '../../shared/api/failure.ts'
import { AccountFields } from './account-fields.tsx'
import { runSetup, type SetupAnswers } from './api.ts'
import { setupMessages } from './i18n.ts'
import styles from './setup-form.module.css'
import { TokenField, tokenFromLink } from './token-field.tsx'
import { UsageChoice } from './usage-choice.tsx'

interface SetupFormProps {
  readonly state: z.output<typeof setupStateSchema>
  readonly onDone: () => void
}

const blank: SetupAnswers = { username: '', password: '', confirmPassword: '', mode: 'external', token: '' }

export function SetupForm({ state, onDone }: SetupFormProps) {
  const t = setupMessages.use()
  const [initialValues] = useState(() => ({ ...blank, token: tokenFromLink() }))
  const tokenParts = state.token_needed ? 1 : 0
  const setup = useMutation({ mutationFn: runSetup, meta: { isFailureShown: true }, onSuccess: onDone })
  return (
    <Form<SetupAnswers>
      layout="vertical"
      requiredMark={false}
      initialValues={initialValues}
      scrollToFirstError
      className="stack-24"
      onFinish={(answers) => setup.mutate({ ...blank, ...answers })}
    >
      {state.token_needed && (
        <Part number={1} title={t('token.title')} text={t('token.text')}>
          <TokenField />
        </Part>
      )}
      <Part
        number={tokenParts + 1}
        title={t('account.title')}
        text={state.root_init ? t('account.exists') : t('account.text')}
      >
        {!state.root_init && <AccountFields />}
      </Part>
      <Part number={tokenParts + 2} title={t('usage.title')}>
        <Form.Item name="mode" noStyle>
          <UsageChoice />
        </Form.Item>
      </Part>
      {setup.error !== null && (
        <Alert type="error" role="alert" title={t('error.failed')} description={failureText(setup.error)} />
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={setup.isPending}>
        {t('submit')}
      </Button>
      {state.database_type !== '' && (
        <p className={styles.database}>{t(`database.${state.database_type}`)}</p>
      )}
    </Form>
  )
}

interface PartProps {
  readonly number: number
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

function Part({ number, title, text, children }: PartProps) {
  return (
    <section className="stack-8">
      <h2 className={styles.heading}>
        <span className={styles.number}>{number}</span>
        {title}
      </h2>
      {text !== undefined && <p className="muted">{text}</p>}
      {children}
    </section>
  )
}
