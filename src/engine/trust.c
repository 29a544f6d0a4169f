/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trust.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef const char *name_folder_fn(void);

/* What the OpenSSL that libmongoc has loaded was built with; it is not ours to link. */
static const char *default_folder(void)
{
    name_folder_fn *name_folder = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "X509_get_default_cert_dir");
    memcpy(&name_folder, &symbol, sizeof symbol);
    return name_folder ? name_folder() : NULL;
}

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
    const char *folder = default_folder();
    return folder && has_hashed_name(folder) ? folder : NULL;
}
