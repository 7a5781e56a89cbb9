import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * A self-signed certificate for `localhost` and 127.0.0.1, valid until 2125. Its private key is published
 * here on purpose: it protects nothing.
 */
export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjUwMTAxMDAwMDAwWhgPMjEyNTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJn4mAYK/Oflb3z8
FBfWZjh6F0LkflBu/vtLruQeX5mcULfTPJpD1xNOErHe9mFHPTKvDxOnx1QREMlv
xtrHykKjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBQYHyRBkT/c10ewrKkjd+G1xynFWDAKBggqhkjOPQQD
AgNIADBFAiEA13KXu348bItyTxVjQ2p8/i9Z4qHd6ygYNMYP2zi2kf0CIBtQodRI
kLz9LJe9FUKM7464hwONY7toTGlZLk0qWt/P
-----END CERTIFICATE-----`

export const localhostKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFLujsYWVkyUyZjFP
8zxOizfp/NxxwchFWlOtzJ+X/0yhRANCAASZ+JgGCvzn5W98/BQX1mY4ehdC5H5Q
bv77S67kHl+ZnFC30zyaQ9cTThKx3vZhRz0yrw8Tp8dUERDJb8bax8pC
-----END PRIVATE KEY-----`

const ordinary = getCACertificates('default').filter((one) => one !== localhostCertificate)

/**
 * Makes this process trust the certificate above, as if the operator had installed its own certificate
 * authority.
 */
export function trustLocalhost(): void {
  setDefaultCACertificates([...ordinary, localhostCertificate])
}

/** Undoes `trustLocalhost`. */
export function distrustLocalhost(): void {
  setDefaultCACertificates(ordinary)
}
