/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trust.h"

#include <dirent.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Links like 9d04f354.0, as c_rehash makes them. */
static bool is_hashed_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == 8 && strcmp(name + 8, ".0") == 0;
}

static bool has_hashed_name(const char *folder)
{
    DIR *dir = opendir(folder);
    bool found = false;
    const struct dirent *entry;
    while (dir && !found && (entry = readdir(dir)))
        found = is_hashed_name(entry->d_name);
    if (dir)
        closedir(dir);
    return found;
}

const char *trust_find_folder(void)
{
    if (getenv("SSL_CERT_FILE") || getenv("SSL_CERT_DIR"))
        return NULL;
    const char *folder = X509_get_default_cert_dir();
    return has_hashed_name(folder) ? folder : NULL;
}
